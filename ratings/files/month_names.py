"""Names of months in some languages of Europe, for ``dateutil``."""

from __future__ import annotations

from typing import Any

from dateutil import parser

MONTHS = [
    "jan january januar jänner janvier janv enero ene gennaio genn gen janeiro januari",
    "feb february februar février fevrier févr fév fev febrero febbraio febbr fevereiro februari",
    "mar march märz maerz mär mrz mars marzo março marco maart mrt",
    "apr april avril avr abril abr aprile",
    "may mai mayo maggio mag maio mei",
    "jun june juni juin junio giugno giu junho",
    "jul july juli juillet juil julio luglio lug julho",
    "aug august août aout agosto ago augustus",
    "sep sept september septembre septiembre settembre sett set setembro",
    "oct october oktober okt octobre octubre ottobre ott outubro out",
    "nov november novembre noviembre novembro",
    "dec december dezember dez décembre déc diciembre dic dicembre dezembro",
]
OTHER_WORDS = (
    "montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so "
    "lundi mardi mercredi jeudi vendredi samedi dimanche lun mer jeu ven sam dim "
    "lunes martes miércoles jueves viernes sábado domingo mié jue vie sáb dom "
    "lunedì martedì mercoledì giovedì venerdì sabato domenica mar gio sab "
    "segunda terça quarta quinta sexta feira seg ter qua qui sex "
    "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag ma wo vr za zo "
    "de del der den d le il el am um à às alle om uhr uur h º ° ª er"
)
"""Days of the week, and words between the parts of a date."""


class EuropeanNames(parser.parserinfo):
    """The names of months and days in English and in other languages."""

    MONTHS: Any = [tuple(names.split()) for names in MONTHS]
    JUMP = [*parser.parserinfo.JUMP, *OTHER_WORDS.split()]


PARSER = parser.parser(EuropeanNames(dayfirst=True))
