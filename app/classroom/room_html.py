"""How a room looks: the code with its QR code, the votes as bars."""

from html import escape

import segno

from app.classroom.polls import Poll, PollState


def code(room_code: str, address: str) -> str:
    """The code in large type, and the address below it."""
    half = len(room_code) // 2
    shown = f"{room_code[:half]} {room_code[half:]}"
    return f'<p class="room-code">{escape(shown)}</p><p class="room-way">{escape(address)}</p>'


def bare(address: str) -> str:
    """An address as people type it."""
    return address.removeprefix("https://").removeprefix("http://")


def qr(address: str, *, large: bool = False) -> str:
    """The QR code of an address, as a picture."""
    drawn = segno.make(address, error="m").svg_data_uri(scale=8, border=1, dark="#111", light="#fff")
    return (
        f'<div class="room-qr{" large" if large else ""}"><img src="{drawn}" alt="QR code of {escape(address)}"></div>'
    )


def large(room_code: str, address: str) -> str:
    """Both for the last row of a hall."""
    return f'<div class="room-large">{qr(address, large=True)}<div>{code(room_code, bare(address))}</div></div>'


def votes(poll: Poll) -> str:
    """The question and, once the vote is over, a bar for every choice with the draft's own probability as a mark on it; before, only how many have
    voted."""
    question = f'<p class="room-question">{escape(poll.question)}</p>'
    total = sum(poll.counts)
    if poll.state is PollState.OPEN:
        return f'{question}<p class="room-note">{_people(total)} voted.</p>'
    rows = []
    for index, (choice, count) in enumerate(zip(poll.choices, poll.counts, strict=True)):
        share = 100 * count / total if total else 0
        right = poll.answer == index
        claim = said = ""
        if poll.claimed:
            claim = f'<span class="claim" style="left:{100 * poll.claimed[index]:.1f}%"></span>'
            said = f" (draft’s p {poll.claimed[index]:.0%})"
        rows.append(
            f'<span class="{"right" if right else ""}">{"✓ " if right else ""}{escape(choice)}{said}</span>'
            f'<span class="track"><span class="bar" style="display:block;width:{share:.1f}%"></span>{claim}</span><span>{count}</span>'
        )
    marks = " The orange mark is the draft’s own probability." if poll.claimed else ""
    return f'{question}<div class="room-votes">{"".join(rows)}</div><p class="room-note">{_people(total)} voted.{marks}</p>'


def _people(count: int) -> str:
    return "1 person" if count == 1 else f"{count:,} people"
