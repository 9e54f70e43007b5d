"""The question, on its own: what one is, how it is written and read back, and which option a reply is.

Pure text work. Who may answer, where a question is shown and how a job waits for it live elsewhere.
"""

from handraise.common.questions._codec import parse, render
from handraise.common.questions._matching import Answer, Outcome, match, same_question
from handraise.common.questions._question import EmptyReply, Question, QuestionError

__all__ = [
    "Answer",
    "EmptyReply",
    "Outcome",
    "Question",
    "QuestionError",
    "match",
    "parse",
    "render",
    "same_question",
]
