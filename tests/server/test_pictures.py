"""Everyone at a table has a picture of their own."""

from __future__ import annotations

from ludotheque.server.table import Bot, Person, pictures_of


def person(guest: str, avatar: int) -> Person:
    return Person(guest, guest, avatar)


def bot(avatar: int) -> Bot:
    return Bot("regular", "Zola", avatar)


def test_no_bot_has_the_picture_of_a_person() -> None:
    assert pictures_of([bot(3), person("ann", 3), bot(10)]) == [10, 3, 17]


def test_people_who_share_a_device_have_pictures_of_their_own() -> None:
    assert pictures_of([person("ann", 3), person("ann", 3), None, person("ann", 3)]) == [
        3,
        10,
        0,
        17,
    ]


def test_guests_keep_the_picture_that_they_chose() -> None:
    assert pictures_of([person("ann", 3), person("bob", 3), bot(2)]) == [3, 3, 2]


def test_pictures_begin_again_after_the_last() -> None:
    assert pictures_of([person("ann", 20), bot(20)]) == [20, 3]
