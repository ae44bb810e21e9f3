"""The text and the page of each notice, in the language of its reader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import reverse

from league.models import Match, Notice, NoticeKind, Status
from league.services.core.isolation import gettext as _
from league.services.core.isolation import ngettext

if TYPE_CHECKING:
    from collections.abc import Callable

    from league.models import Arrangement, Challenge, Team


@dataclass(frozen=True)
class Told:
    """The text of a notice, and the page that it is about."""

    text: str
    url: str


def tell(notice: Notice) -> Told:
    """Return the text of a notice. It follows the present state of what the notice is about."""
    return TEXTS[NoticeKind(notice.kind)](notice)


def asks_whether_left(notice: Notice) -> bool:
    """Return whether a notice of :func:`with_names` asks its reader whether they quit."""
    return bool(getattr(notice, "asks_whether_left", False))


def name_of_actor(notice: Notice) -> str:
    return str(notice.actor) if notice.actor else _("Somebody")


def match_of(notice: Notice) -> Match:
    assert notice.match, "a notice of this kind refers to a match"  # noqa: S101 - for the types
    return notice.match


def tell_reported(notice: Notice) -> Told:
    match = match_of(notice)
    names = {"player": name_of_actor(notice), "arena": match.arena}
    if asks_whether_left(notice):
        text = _("%(player)s reports that you left a match in %(arena)s early. Did you?") % names
    elif match.status == Status.REPORTED:
        text = _("%(player)s reported a result in %(arena)s. Confirm or dispute it.") % names
    elif match.status == Status.VOID:
        text = _("%(player)s reported a result in %(arena)s. It does not count any more.") % names
    else:
        text = _("%(player)s reported a result in %(arena)s. It has been answered.") % names
    return Told(text, match.get_absolute_url())


def tell_disputed(notice: Notice) -> Told:
    match = match_of(notice)
    names = {"player": name_of_actor(notice), "arena": match.arena}
    if getattr(notice, "is_countered", False):  # of `with_names`
        text = _(
            "%(player)s reports another result of your match in %(arena)s. Accept or reject it."
        )
    else:
        text = _("%(player)s disputes the result of your match in %(arena)s.")
    return Told(text % names, match.get_absolute_url())


def tell_decided(notice: Notice) -> Told:
    match = match_of(notice)
    if match.status == Status.VOID:
        text = _("Staff voided your match in %(arena)s. It does not count.")
    elif match.status != Status.RATED:
        text = _("Staff undid the void of your match in %(arena)s. It waits for a result again.")
    else:
        text = _("Staff decided your match in %(arena)s. Its result counts.")
    return Told(text % {"arena": match.arena}, match.get_absolute_url())


def tell_rated(notice: Notice) -> Told:
    match = match_of(notice)
    text = _("The result of your match in %(arena)s counts: %(how)s.") % {
        "arena": match.arena,
        "how": match.get_settlement_display(),
    }
    return Told(text, match.get_absolute_url())


def tell_lapsed(notice: Notice) -> Told:
    match = match_of(notice)
    text = _("Nobody confirmed the result of your match in %(arena)s in time. It does not count.")
    return Told(text % {"arena": match.arena}, match.get_absolute_url())


def tell_undecided(notice: Notice) -> Told:
    match = match_of(notice)
    text = _(
        "The season was archived before staff decided the objection to your match in %(arena)s. "
        "Its result counts."
    )
    return Told(text % {"arena": match.arena}, match.get_absolute_url())


def withdrawn(notice: Notice) -> Told:
    match = match_of(notice)
    text = _("%(player)s withdrew the objection to the result of your match in %(arena)s.") % {
        "player": name_of_actor(notice),
        "arena": match.arena,
    }
    return Told(text, match.get_absolute_url())


def tell_date_news(notice: Notice) -> Told:
    assert notice.arena, "a notice about a date refers to its arena"  # noqa: S101 - for the types
    text = _("There is news about your date with %(player)s in %(arena)s.") % {
        "player": name_of_actor(notice),
        "arena": notice.arena,
    }
    if notice.arrangement is None:  # written before notices referred to their date
        return Told(text, reverse("dates", args=[notice.arena.slug]))
    return Told(text, notice.arrangement.get_absolute_url())


def date_of(notice: Notice) -> Arrangement:
    assert notice.arrangement, "a notice of this kind refers to a date"  # noqa: S101 - for the types
    return notice.arrangement


def waiting(notice: Notice) -> Told:
    one = date_of(notice)
    text = _(
        "%(player)s asked for your answer about a date in %(arena)s. You no longer need to answer."
    )
    if one.state == one.State.PROPOSED and one.asked_id == notice.player_id:
        text = _("%(player)s proposes a time to play in %(arena)s.")
    elif one.request_id is not None and one.asked_id == notice.player_id:
        text = _("%(player)s asks to change your date in %(arena)s.")
    elif one.state == one.State.ACCEPTED and one.claimed_by_id is not None:
        text = _("%(player)s says that you did not come to your date in %(arena)s.")
    names = {"player": name_of_actor(notice), "arena": one.arena}
    return Told(text % names, one.get_absolute_url())


def called_off(notice: Notice) -> Told:
    one = date_of(notice)
    text = _("%(player)s called off a date in %(arena)s.") % {
        "player": name_of_actor(notice),
        "arena": one.arena,
    }
    return Told(text, one.get_absolute_url())


def tell_message(notice: Notice) -> Told:
    if notice.challenge is not None:
        about, arena = notice.challenge.get_absolute_url(), notice.challenge.season.arena
        text = _("%(player)s wrote about your challenge in %(arena)s.")
    elif notice.match is not None:
        about, arena = notice.match.get_absolute_url(), notice.match.arena
        text = _("%(player)s wrote about your match in %(arena)s.")
    else:
        about, arena = date_of(notice).get_absolute_url(), date_of(notice).arena
        text = _("%(player)s wrote about your date in %(arena)s.")
    return Told(text % {"player": name_of_actor(notice), "arena": arena}, f"{about}#messages")


def fixture(notice: Notice) -> Told:
    one = date_of(notice)
    names = {"one": one.proposer_name, "other": one.opponent_name, "arena": one.arena}
    text = _("Fixture in %(arena)s: %(one)s against %(other)s. See when it is played.")
    if one.state == one.State.PLAYED:
        text = _("Fixture in %(arena)s: %(one)s against %(other)s. It was played.")
    elif one.state != one.State.ACCEPTED:
        text = _("Fixture in %(arena)s: %(one)s against %(other)s. It is over without a game.")
    return Told(text % names, one.get_absolute_url())


def competition(notice: Notice) -> Told:
    one = notice.competition
    assert one, "a notice of this kind refers to a competition"  # noqa: S101 - for the types
    text = {
        one.State.REGISTRATION: _("Your entry in %(competition)s, %(arena)s, has changed."),
        one.State.RUNNING: _("%(competition)s in %(arena)s is running. See your fixtures."),
        one.State.OVER: _("%(competition)s in %(arena)s is over. See the final table."),
    }.get(one.State(one.state), _("%(competition)s in %(arena)s was cancelled."))
    names = {"competition": one, "arena": one.season.arena}
    return Told(text % names, one.get_absolute_url())


def challenge_of(notice: Notice) -> Challenge:
    assert notice.challenge, "a notice of this kind refers to a challenge"  # noqa: S101 - for the types
    return notice.challenge


def tell_challenge(notice: Notice) -> Told:
    challenge = challenge_of(notice)
    text = _("%(player)s challenges you in %(arena)s.") % {
        "player": challenge.challenger,
        "arena": challenge.season.arena,
    }
    return Told(text, challenge.get_absolute_url())


def tell_answer(notice: Notice) -> Told:
    challenge = challenge_of(notice)
    text = _("%(one)s’s challenge to %(other)s in %(arena)s: %(state)s.") % {
        "one": challenge.challenger,
        "other": challenge.challenged,
        "arena": challenge.season.arena,
        "state": challenge.get_state_display(),
    }
    return Told(text, challenge.get_absolute_url())


def tell_invitation(notice: Notice) -> Told:
    roster = notice.roster
    assert roster, "an invitation refers to a roster"  # noqa: S101 - for the types
    text = _("%(player)s invites you to the roster %(roster)s in %(arena)s.") % {
        "player": name_of_actor(notice),
        "roster": roster,
        "arena": roster.arena,
    }
    return Told(text, reverse("rosters", args=[roster.arena.slug]))


def tell_queued(notice: Notice) -> Told:
    text = _("%(player)s queued you in %(arena)s. Open the queue to take part.") % {
        "player": name_of_actor(notice),
        "arena": notice.arena,
    }
    return Told(text, queue_page(notice))


def tell_found(notice: Notice) -> Told:
    text = _("A match was found for you in %(arena)s.") % {"arena": notice.arena}
    return Told(text, queue_page(notice))


def queue_page(notice: Notice) -> str:
    assert notice.arena, "a notice about a queue refers to its arena"  # noqa: S101 - for the types
    return reverse("queue", args=[notice.arena.slug])


def tell_ban(notice: Notice) -> Told:
    action = notice.award.action if notice.award else None
    text = _("You are banned. Reason: “%(reason)s”") % {
        "reason": action.reason if action else "",
    }
    return Told(text, reverse("dishonor"))


def tell_lifted_ban(notice: Notice) -> Told:
    voided = notice.award.amnesties.select_related("action") if notice.award else None
    amnesty = voided.first() if voided else None
    text = _("Your ban was lifted. Reason: “%(reason)s”") % {
        "reason": amnesty.action.reason if amnesty else "",
    }
    return Told(text, reverse("dishonor"))


def tell_penalty(notice: Notice) -> Told:
    award = notice.award
    if award is None:
        return Told(_("You were given a penalty."), reverse("dishonor"))
    text = ngettext(
        "You were given %(stacks)d stack of dishonor in %(arena)s for “%(offence)s”: “%(note)s”",
        "You were given %(stacks)d stacks of dishonor in %(arena)s for “%(offence)s”: “%(note)s”",
        award.stacks,
    ) % {
        "stacks": award.stacks,
        "arena": award.arena,
        "offence": award.offence,
        "note": award.action.reason if award.action else "",
    }
    return Told(text, reverse("dishonor"))


def appeal(notice: Notice) -> Told:
    answered = getattr(notice.award, "appeal", None)
    if answered is None or answered.action is None:
        return Told(_("Staff answered your appeal."), reverse("dishonor"))
    text = _("Staff answered your appeal: %(answer)s. “%(reason)s”") % {
        "answer": answered.get_state_display(),
        "reason": answered.action.reason,
    }
    return Told(text, reverse("dishonor"))


def letter(notice: Notice) -> Told:
    text = notice.letter.text if notice.letter else ""
    return Told(_("Staff wrote to you: “%(text)s”") % {"text": text}, reverse("inbox"))


def team_of(notice: Notice) -> Team:
    assert notice.team, "a notice of this kind refers to a team"  # noqa: S101 - for the types
    return notice.team


def team_invited(notice: Notice) -> Told:
    text = _("%(player)s invites you to the team %(team)s.")
    names = {"player": name_of_actor(notice), "team": team_of(notice)}
    return Told(text % names, reverse("my_teams"))


def team_captain(notice: Notice) -> Told:
    text = _("%(player)s offers you the captaincy of %(team)s.")
    names = {"player": name_of_actor(notice), "team": team_of(notice)}
    return Told(text % names, team_of(notice).get_absolute_url())


def team_changed(notice: Notice) -> Told:
    text = _("Your role in the team %(team)s has changed.") % {"team": team_of(notice)}
    return Told(text, team_of(notice).get_absolute_url())


def team_joined(notice: Notice) -> Told:
    text = _("%(player)s has joined your team %(team)s.")
    names = {"player": name_of_actor(notice), "team": team_of(notice)}
    return Told(text % names, team_of(notice).get_absolute_url())


def team_removed(notice: Notice) -> Told:
    team = team_of(notice)
    if team.disbanded_at:
        text = _("The team %(team)s was disbanded.") % {"team": team}
    else:
        text = _("You are no longer in the team %(team)s.") % {"team": team}
    return Told(text, team.get_absolute_url())


def tell_badge(notice: Notice) -> Told:
    assert notice.badge, "a notice of this kind refers to a badge"  # noqa: S101 - for the types
    match = match_of(notice)
    if match.status == Status.RATED:
        text = _("You earned the badge “%(badge)s” in %(arena)s.")
    else:
        text = _("The match that earned you the badge “%(badge)s” in %(arena)s does not count.")
    names = {"badge": notice.badge.get_kind_display(), "arena": match.arena}
    return Told(text % names, f"{reverse('player', args=[notice.player_id])}#badges")


def season_review(notice: Notice) -> Told:
    season = notice.season
    assert season, "a notice of this kind refers to a season"  # noqa: S101 - for the types
    text = _("Your season in review is ready: %(season)s of %(arena)s.")
    page = reverse("player_review", args=[notice.player_id, season.pk])
    return Told(text % {"season": season.name, "arena": season.arena}, page)


def webhook_paused(notice: Notice) -> Told:
    page = reverse("admin:league_webhook_changelist")
    if notice.arena is None:
        return Told(_("A webhook of the league was paused, because its receiver fails."), page)
    text = _("A webhook of %(arena)s was paused, because its receiver fails.")
    return Told(text % {"arena": notice.arena}, page)


def discord_off(notice: Notice) -> Told:
    del notice
    text = _(
        "Discord refuses direct messages to you, so they are off. Allow them on Discord first."
    )
    return Told(text, reverse("discord_settings"))


TEXTS: dict[NoticeKind, Callable[[Notice], Told]] = {
    NoticeKind.REPORTED: tell_reported,
    NoticeKind.DISPUTED: tell_disputed,
    NoticeKind.DECIDED: tell_decided,
    NoticeKind.RATED: tell_rated,
    NoticeKind.LAPSED: tell_lapsed,
    NoticeKind.UNDECIDED: tell_undecided,
    NoticeKind.WITHDRAWN: withdrawn,
    NoticeKind.DATED: tell_date_news,
    NoticeKind.WAITING: waiting,
    NoticeKind.CALLED_OFF: called_off,
    NoticeKind.MESSAGED: tell_message,
    NoticeKind.FIXTURE: fixture,
    NoticeKind.COMPETITION: competition,
    NoticeKind.CHALLENGED: tell_challenge,
    NoticeKind.ANSWERED: tell_answer,
    NoticeKind.INVITED: tell_invitation,
    NoticeKind.QUEUED: tell_queued,
    NoticeKind.FOUND: tell_found,
    NoticeKind.BANNED: tell_ban,
    NoticeKind.UNBANNED: tell_lifted_ban,
    NoticeKind.PENALISED: tell_penalty,
    NoticeKind.APPEAL: appeal,
    NoticeKind.LETTER: letter,
    NoticeKind.TEAM_INVITED: team_invited,
    NoticeKind.TEAM_CAPTAIN: team_captain,
    NoticeKind.TEAM_CHANGED: team_changed,
    NoticeKind.TEAM_JOINED: team_joined,
    NoticeKind.TEAM_REMOVED: team_removed,
    NoticeKind.BADGE: tell_badge,
    NoticeKind.SEASON: season_review,
    NoticeKind.WEBHOOK: webhook_paused,
    NoticeKind.DISCORD: discord_off,
}
