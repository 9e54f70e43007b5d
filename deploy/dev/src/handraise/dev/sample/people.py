"""Who is in Acme. Five have a story and can sign in; the others make #general as large as a real one."""

import msgspec

from handraise.dev.state import Person
from handraise.workspace.words import MemberRole


class Member(msgspec.Struct, frozen=True):
    """One row of members, before it has ids."""

    handle: str
    name: str
    role: MemberRole
    timezone: str
    says: str = ""
    """The role in words, of those who can sign in."""

    @property
    def email(self) -> str:
        """Where they get mail, and what they sign in with."""
        return f"{self.handle}@acme.example"

    @property
    def password(self) -> str | None:
        """What they sign in with; None for those who only make up the numbers."""
        return f"{self.handle}-asks-first" if self.says else None


_NAMED = (
    Member("ada", "Ada Lindqvist", MemberRole.ADMIN, "Europe/Berlin", "workspace admin, admin of Atlas"),
    Member(
        "ben", "Ben Okafor", MemberRole.MEMBER, "Europe/Berlin", "member of Atlas and Orbit, admin of neither"
    ),
    Member("chen", "Chen Wei", MemberRole.MEMBER, "Asia/Singapore", "admin of Orbit, member of Atlas"),
    Member(
        "dita", "Dita Moreau", MemberRole.MEMBER, "Europe/Paris", "admin of the team and of #announcements"
    ),
    Member(
        "eve", "Eve Novak", MemberRole.GUEST, "America/New_York", "guest: reads and writes #general, no more"
    ),
)

_COLLEAGUES = (
    "Amara Diallo,Anton Berg,Beatriz Lima,Carlos Mendes,Chiara Conti,Dmitri Volkov,Elif Kaya,Emil Sand,"
    "Fatima Zahra,Felix Braun,Grace Mwangi,Hana Sato,Hugo Laurent,Ines Duarte,Ivan Petrov,Jana Horak,"
    "Jonas Weber,Kai Nakamura,Karim Haddad,Lena Fischer,Liam Byrne,Lucia Romero,Mateo Silva,Mei Tanaka,"
    "Milan Novotny,Nadia Rahman,Noah Jansen,Olga Kuznets,Omar Farouk,Priya Nair,Quinn Harper,Rosa Vidal,"
    "Sam Osei,Sofia Lindgren,Tariq Aziz,Uma Patel,Yara Costa"
)

COLLEAGUES = tuple(
    Member(name.split()[0].lower(), name, MemberRole.MEMBER, "Europe/Berlin")
    for name in _COLLEAGUES.split(",")
)

MEMBERS = (*_NAMED, *COLLEAGUES)
"""All 42."""

PEOPLE = tuple(
    Person(name=member.name, email=member.email, password=member.password, role=member.says)
    for member in MEMBERS
    if member.password is not None
)
"""Those who can sign in."""


def person(handle: str) -> Person:
    """Return somebody to sign in as: `person("ada")`."""
    return next(someone for someone in PEOPLE if someone.email == f"{handle}@acme.example")
