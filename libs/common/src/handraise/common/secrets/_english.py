"""How people are asked for something in English, where naming and asking are often one word apart.

`§` stands for a secret. What an expression matches is weighed in `_judge`; `gap` is what stands between the
asking and the secret.
"""

import re

from handraise.common.secrets._rules import words

_GIVE = (
    "send|give|share|paste|provide|enter|type|tell|dm|message|forward|drop|post|attach|upload|write|show|reveal|"
    "disclose|supply|submit|list|pass|hand|read|dictate|copy|text|email|mail|input|fill|insert|spell|specify|"
    "remind|reply|respond|answer|confirm|repeat|quote|let|resend|re-send|state|whisper|relay|transmit|dump|"
    "confide|leak|complete|sending|giving|sharing|pasting|providing|entering|typing|telling|forwarding|posting|"
    "showing|writing|confirming"
)
GIVE = re.compile(rf"(?:^|(?P<before>[\w'-]+),? |[,:] ?)(?P<verb>{_GIVE})(?P<gap>:? (?:[^\s§]+ ){{0,8}}?)§")
# A verb of giving is a request only where a person is told or begged to do it …
GIVE_AFTER = words(
    "please kindly just and then or you to also now so mind by simply could would can must lets"
)
# … and not where the agent tells its own plan.
OWN_PLAN = re.compile(r"\b(?:how|order|where|when|\b(?:i|we)(?:'\w+)?(?: \w+)?) to$")
REQUEST = re.compile(
    r"\b(?:can|could|would|will|won't) (?:you|someone|somebody|anyone|anybody)(?: please| kindly| maybe| just| quickly"
    r"| also| be able to| be so kind (?:as )?to| be kind enough to)* (?P<verb>[\w-]+)(?P<gap> (?:[^\s§]+ ){0,7}?)§"
)
# The steps that leave a secret where it is.
KEEPING = words(
    "rotate revoke reset renew refresh change create add store save put move approve review check double-check verify "
    "confirm delete remove rename invite grant update ask point explain find look log sign make disable enable fix "
    "merge test restore replace extend handle describe take keep use need have get hide mask invalidate encrypt allow "
    "open be block lock unlock register configure set schedule plan mention tell let like prefer want help assign link "
    "connect transfer document label tag pin close report file request order include generate issue mind rather"
)
# With these a person is asked only where the secret would come to us.
BRING = re.compile(
    r"(?:^|(?P<before>[\w'-]+),? |[,:] ?)"
    r"(?:get|fetch|grab|look up|find|add|leave|include|put|export|print|store|save|set|run)"
    r" (?:[^\s§]+ ){0,6}?§"
    r"(?=.*\b(?:here|below|(?:this|the) (?:chat|thread|conversation)|your (?:answer|reply))\b)"
    r"|\b(?:get|fetch|grab|find|bring) (?:me|us) (?:[^\s§]+ ){0,4}?§"
)
WHAT = re.compile(
    r"\b(?:what(?:'?s| is| are| was| were)?|which (?:is|are)|tell me|know)(?P<gap> (?:[^\s§]+ ){0,7}?)§"
    r"(?! (?:used|called|named|needed|required|doing|good|supposed|scoped|limited|stored|responsible|for$|stand|mean|"
    r"in the context))"
)
PUT = re.compile(
    r"\bwhat(?: value| string| text)? (?:(?:should|do|shall|must|can|does) (?:i|we|one)|to)"
    r" (?:put|use|set|enter|write|fill|type)(?P<gap> (?:[^\s§]+ ){0,5}?)§"
)
NEED = re.compile(
    r"(?:\b(?:i|we)(?:'ll|'d|'m|'re| will| would| still| also| just| only| first| now| really| do| urgently| am| are)*"
    r" (?:need|require|want|like|lack|missing|must have|have to have)|^need|\bneeds(?= your))"
    r"(?: to (?:know|have|get|see)| you to [\w-]+)?(?! to )(?P<gap> (?:[^\s§]+ ){0,6}?)"
    r"§(?! (?:rotated|reset|renewed|changed|revoked|created|replaced|deleted|removed)\b)"
)
GET = re.compile(
    r"\b(?:(?:can|could|may|might) (?:i|we)(?: please)? (?:have|get|see|know)|"
    r"(?:trouble|bother|ask|asking|bug) you (?:again )?for|"
    r"(?:do you|have you|you)(?: still| happen to)? (?:have|got|know|remember|recall))"
    r"(?! (?:an?|any)\b)(?P<gap> (?:[^\s§]+ ){0,6}?)§"
)
# "Password?", "Username and password for the demo account, please".
NAMELY = re.compile(
    r"(?:(?:and|so|ok|now|the|your|current|admin|root|username|user|name|login|email|or)[ /,&+]+)*§"
    r"(?: (?:for|of|to|on)(?: [^\s§]+){1,6})?,?(?: please)?$"
)
# Asks for "it", where a secret was named before.
IT = re.compile(
    r"(?:(?P<before>[\w'-]+),? |^|[,:] ?)(?:send|paste|type|give|share|post|tell|dm|forward|drop|enter|show|write|"
    r"provide|text|mail|email|pass|copy|resend|attach|upload|add|dump|whisper|pasting|sending|sharing|giving|posting|"
    r"typing|telling|forwarding|attaching)(?: me| us)? (?:it|them|that|yours|both|"
    r"the (?:new one|value|string|output|results?|contents?|digits|code))\b"
    r"(?! (?:to|into|in|at|on) (?!me|us|this|here|the (?:chat|thread|channel)))"
    r"|\bwhat (?:is|are) its (?:first|last|value|content)"
    r"|\bwhat (?:is|are) (?:it|they)(?: now| again| please)?$"
    r"|\bcan i (?:have|get|see) (?:it|them)\b|\blet me have (?:it|them)\b"
    r"|\bwhich (?:one|of (?:them|these|those|the two))(?: is| was)?(?: the)? (?:right|correct|works|real|current)\b"
)
# What an option may not offer: that the person hands it over.
OFFER = re.compile(
    r"\b(?:i'll|i will|i can|let me|i'm going to|i am going to|i) (?:now )?(?:send|paste|type|give|share|post|tell|dm|"
    r"forward|drop|enter|provide|write|text|mail|reply)\b(?!(?: [^\s§]+){0,6} (?:vault|manager|settings|console|app)\b)"
    r"|\b(?:here is|here's|here are|this is|my)(?: [^\s§]+){0,3} §"
    r"|\b(?:paste|type|enter|post|send|share|write)(?: [^\s§]+){0,4}"
    r" (?:here|below|now|to you|in (?:this|the) (?:chat|thread|channel))\b"
)

# Questions about a secret that a person can answer without handing it over.
OPENER = re.compile(
    r"(?:(?:so|and|ok|okay|then|or|but|also|hi|hello|hey|thanks)[, ]+)*(?P<word>should|shall|does|did|do|is|are|was|"
    r"were|has|have|had|who|whom|whose|when|where|why|how|am|might|must|"
    r"(?:may|can) (?:i|we) (?!have|get|see|know|please)|which|if)\b"
)
OWN_STEP = re.compile(r"(?:should|shall|may|can|who|whom|whose|where|how|which)\b")
RECIPIENT = re.compile(
    r"\b(?:me|us|here|below|(?:this|the) (?:chat|thread|channel|conversation)|your answer)\b"
)
# "… and tell me when it is done" asks for a word, not for the secret.
TELL_WHEN = re.compile(
    r"\b(?:tell|let|ping|message|give|write|send) (?:me|us)(?: know)? (?:when|once|if|as soon|its|the name|where|who|"
    r"which|whether)\b[^,;]*?(?=,| and |$)"
)
ELSEWHERE = re.compile(
    r"§(?: \w+){0,4}? (?:in|into|to|on|at|under|through|via|with) (?:the |your |our |a |my )?(?:[\w-]+ ){0,2}"
    r"(?:vault|manager|1password|bitwarden|keepass|keychain|keyring|store|settings|environment|admin|console|"
    r"dashboard|page|website|site|portal|app|§)\b|§ yourself\b"
)
NEGATED = re.compile(
    r"(?<!why )\b(?:don't|do not|never|won't|will not|can't|cannot|must not|without|no need to|instead of|not to|not)"
    rf"(?! (?:you|forget|hesitate|wait))(?: \w+){{0,3}}? (?:{_GIVE}|ask for|ask|take|accept|need|require|want)\b"
    r"[^,;:]{0,40}?§"
)
# In the gap, these words mean that something else is asked for …
ASIDE = words(
    "who whom whose where when why how which if whether about regarding on link url path name names title list "
    "location owner number length format type kind scope policy purpose status state age size expiry deadline "
    "difference risk best reason problem issue error plan decision new another separate own rotate reset without "
    "stores holds uses needs has should must against"
)
# … and so do these, unless what they belong to is the secret itself.
OF = words("of for in to about behind from by at")
VALUE = words(
    "value values content contents text string digits digit characters character chars letters part beginning start "
    "end rest first last four full word words copy both written half"
)
# A clause without any of these is taken for another language.
ENGLISH = re.compile(
    r"\b(?:the|your|you|please|should|shall|what|which|who|whose|where|when|how|why|can|could|would|does|did|need|"
    r"and|for|are|still|my|our|may|any|of|this|that|these|to be|has|have)\b"
)
