"""English dates: the day before the month, and a 24-hour clock."""

DATE_FORMAT = "j M Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j M Y, H:i"
MONTH_DAY_FORMAT = "j F"
YEAR_MONTH_FORMAT = "F Y"

DATE_INPUT_FORMATS = [
    "%Y-%m-%d",
    "%d.%m.%Y",
    "%d.%m.%y",
    "%d/%m/%Y",
    "%d %b %Y",
    "%d %B %Y",
    "%b %d, %Y",
    "%B %d, %Y",
]
# Fields show the first of each, so it keeps the seconds.
TIME_INPUT_FORMATS = ["%H:%M:%S", "%H:%M", "%H.%M", "%I:%M %p", "%I %p", "%I%p"]
DATETIME_INPUT_FORMATS = [
    f"{date}{between}{time}"
    for date in DATE_INPUT_FORMATS
    for between in (" ", "T", ", ")
    for time in ("%H:%M:%S", "%H:%M", "%H:%M:%S.%f")
]
