"""Keeps questions for internal ids away from people: the agent can look those up itself."""

import re

from handraise.common.questions import Question
from handraise.common.secrets._plain import clauses, plain

_OURS = (
    "task|project|channel|thread|message|user|member|person|team|workspace|doc|document|agent|job|run|request|action|"
    "question|call|group|reminder|connector|conversation|dm|assignee|aufgaben?|kanal|projekt|nachrichten|nutzer|"
    "benutzer|gruppen|taak|kanaal|bericht|gebruikers"
)
_OF_OURS = (
    "tache|canal|projet|fil|message|utilisateur|membre|equipe|groupe|tarea|proyecto|hilo|mensaje|usuario|equipo|grupo|"
    "tarefa|projeto|mensagem|equipe|attivita|canale|progetto|messaggio|utente|gruppo|zadania|kanalu|projektu|taak|"
    "kanaal|project|aufgabe|kanals|projekts"
)
_ID = re.compile(
    rf"\b(?:{_OURS})(?:'s)?[ _-]?(?:internal |unique )?(?:ids?|uuids?|guids?|identifiers?)\b"
    rf"|\b(?:ids?|uuids?|guids?|identifiers?) (?:of|for) (?:the|this|that|your|our|my)(?: [\w-]+){{0,3}} (?:{_OURS})\b"
    rf"|\b(?:id|identifiant|identificador|identificativo) (?:d[aeiou]l?|de la|de l'|della|dell'|van|von|der|des)"
    rf" ?(?:de |het )?(?:{_OF_OURS})\b"
    r"|(?:任务|项目|频道|消息|用户|团队) ?id|(?:タスク|プロジェクト|チャンネル|メッセージ|ユーザー)の?id"
    r"|(?:कार्य|प्रोजेक्ट|चैनल) ?(?:की )?(?:आईडी|id)"
)
# Questions about ids rather than for one.
_ABOUT = re.compile(
    r"(?:(?:and|so|ok|or) )?(?:should|shall|do|does|did|is|are|was|were|has|have|who|where|when|why|how|"
    r"(?:may|can|could) (?:i|we) (?!have|get|see|know)|what (?:should|would|do you|does|happens|if)|whose|"
    r"which (?:column|field|format|form)|soll|muss|faut-il|dois-je|debo|devo|moet|czy mam)\b"
)
_WANTED = re.compile(
    r"\b(?:give|send|tell|share|provide|paste|enter|type|need|want|post|reply|specify|supply|missing|let me know|"
    r"look up|find|get me|gib|nenn|brauche|schick|donne|envoie|besoin|dame|dime|envia|necesito|diga|preciso|dammi|"
    r"dimmi|serve|geef|stuur|nodig|podaj|potrzebuje)|告诉|提供|请给|发给|教えて|ください"
)


def asks_for_lookup_id(question: Question) -> str | None:
    """Return why this question asks a person for what the agent can look up; None when it does not."""
    for clause in clauses(plain(question.text)):
        found = _ID.search(clause.text)
        if found is None or _ABOUT.match(clause.text):
            continue
        if clause.asked or _WANTED.search(clause.text) or re.match(r"(?:what|which|whats)\b", clause.text):
            return (
                f"people don't know ids ({found[0]}): look it up with a read tool, by name. If several fit, ask "
                "which one is meant and give their names as options."
            )
    return None
