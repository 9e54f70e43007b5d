"""The whole phrases that decline a question or cancel the work; nothing longer is ever taken for one.

Short on purpose. A phrase is here only if, said alone, it can hardly be an answer: "no", "none", "never mind"
and "skip it" are answers and reach the agent as written. So is what names a task: that is a thing to work on.
"""

import unicodedata

_DECLINE = """
skip, /skip, skip this, skip this one, skip this question, skip the question, skip question, decline,
/decline, i decline, i decline to answer, dont answer, do not answer, no answer, not answering,
not answering this, not answering that, im not answering, im not answering this, im not answering that,
i am not answering, i am not answering this, i am not answering that, im not going to answer,
im not going to answer this, im not going to answer that, i am not going to answer this, i wont answer,
i wont answer this, i wont answer that, i will not answer, i will not answer this,
i will not answer that, i refuse to answer, i dont want to answer, i dont want to answer this,
i dont want to answer that, i do not want to answer, i do not want to answer this, id rather not answer,
id rather not say, i would rather not answer, i would rather not say, rather not say, prefer not to say,
prefer not to answer, i prefer not to say, i prefer not to answer, i pass, ill pass, no comment

uberspringen, frage uberspringen, die frage uberspringen, diese frage uberspringen, uberspring das,
uberspringe die frage, keine antwort, nicht beantworten, ich antworte nicht, ich antworte darauf nicht,
darauf antworte ich nicht, das beantworte ich nicht, ich beantworte das nicht,
ich beantworte die frage nicht, ich mochte nicht antworten, ich will nicht antworten,
das mochte ich nicht beantworten, dazu sage ich nichts, kein kommentar

passer, passer la question, passer cette question, pas de reponse, sans reponse, ne pas repondre,
je ne reponds pas, je ne repondrai pas, je ne veux pas repondre, je prefere ne pas repondre,
je refuse de repondre, sans commentaire

omitir, omitir la pregunta, omitir esta pregunta, saltar la pregunta, saltar esta pregunta,
sin respuesta, no respondo, no contesto, no voy a responder, no voy a contestar, no quiero responder,
no quiero contestar, prefiero no responder, prefiero no contestar, no responder, no contestar,
sin comentarios

pular, pular a pergunta, pular esta pergunta, saltar a pergunta, sem resposta, nao respondo,
nao vou responder, nao quero responder, prefiro nao responder, nao responder, sem comentarios

salta, salta la domanda, salta questa domanda, saltare la domanda, nessuna risposta, non rispondo,
non rispondere, non voglio rispondere, preferisco non rispondere, nessun commento

overslaan, sla over, sla deze vraag over, vraag overslaan, deze vraag overslaan, geen antwoord,
niet beantwoorden, ik antwoord niet, ik geef geen antwoord, daar antwoord ik niet op,
ik wil niet antwoorden, ik wil hier niet op antwoorden, liever niet antwoorden, geen commentaar
"""

_CANCEL = """
stop, /stop, cancel, /cancel, abort, /abort, stop now, stop work, stop working, stop the work,
stop this work, stop the job, stop this job, stop working on this, stop working on it, stop everything,
cancel work, cancel the work, cancel this work, cancel the job, cancel this job, cancel job, abort work,
abort the work, abort the job, abort this job, i want you to stop

stopp, halt, abbrechen, abbruch, brich ab, brich das ab, brechen sie ab, hor auf, horen sie auf,
aufhoren, arbeit abbrechen, die arbeit abbrechen, arbeit stoppen, die arbeit stoppen, stopp die arbeit,
stoppe die arbeit, brich die arbeit ab, auftrag abbrechen

arrete, arretez, arreter, arrete tout, arretez tout, arrete le travail, arretez le travail,
arreter le travail, annuler, annule, annulez, annule le travail, annulez le travail, annuler le travail,
abandonner, abandonne, abandonnez

para, parar, pare, basta, detente, detener, detengase, deten el trabajo, detener el trabajo,
para el trabajo, parar el trabajo, cancelar, cancela, cancele, cancela el trabajo, cancelar el trabajo,
abortar, aborta

pare o trabalho, para o trabalho, parar o trabalho, cancelar o trabalho, cancela o trabalho,
cancele o trabalho, pare tudo, aborte, interromper, interrompa

ferma, fermati, fermare, si fermi, ferma tutto, ferma il lavoro, fermare il lavoro, annulla, annullare,
annulla il lavoro, annullare il lavoro, interrompi, interrompere, interrompi il lavoro,
interrompere il lavoro

stop ermee, stop met werken, stop het werk, stop alles, annuleren, annuleer, annuleer het werk, afbreken,
breek af, breek het werk af, werk stoppen, het werk stoppen, ophouden, hou op, houd op
"""

_POLITE = (
    "please",
    "thanks",
    "thank you",
    "bitte",
    "danke",
    "merci",
    "por favor",
    "gracias",
    "obrigado",
    "obrigada",
    "per favore",
    "grazie",
    "sil vous plait",
    "sil te plait",
    "alsjeblieft",
    "alstublieft",
    "graag",
    "bedankt",
)


def _phrases(text: str) -> frozenset[str]:
    return frozenset(" ".join(phrase.split()) for phrase in text.replace("\n\n", ",").split(","))


DECLINE = _phrases(_DECLINE)
CANCEL = _phrases(_CANCEL)


def phrase_key(folded: str) -> str:
    """Return a folded text as the lists spell it: without accents, apostrophes or a word of courtesy."""
    plain = "".join(char for char in unicodedata.normalize("NFD", folded) if not unicodedata.combining(char))
    plain = " ".join(plain.replace("'", "").replace(",", " ").split())
    for courtesy in _POLITE:
        if plain.endswith(f" {courtesy}"):
            return plain[: -len(courtesy) - 1]
        if plain.startswith(f"{courtesy} "):
            return plain[len(courtesy) + 1 :]
    return plain
