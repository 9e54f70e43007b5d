"""Ways to break who may do what, the one door, and the walls between workspaces."""

_WORKSPACE = "libs/workspace/src/handraise/workspace"
_PERMISSIONS = "services/permissions/src/handraise/permissions"
_TESTS = "tests/integration/workspace"

MUTATIONS = [
    (
        "a member of a project may change its tasks",
        f"{_WORKSPACE}/policy.py",
        'Act.TASK_STATUS: Rule(Relation.ADMIN, _TASK, "change this task")',
        'Act.TASK_STATUS: Rule(Relation.MEMBER, _TASK, "change this task")',
        "tests/unit/workspace/test_policy.py::test_an_act_needs_its_relation",
    ),
    (
        "whoever is asked may confirm what they could not do by hand",
        f"{_WORKSPACE}/policy.py",
        "return _asked(person, subject) and (not subject.approval or _deed(person, subject).allowed)",
        "return _asked(person, subject)",
        f"{_TESTS}/test_facts.py::test_an_action_is_decided_only_by_those_who_may_do_it_by_hand",
    ),
    (
        "a refusal names what is kept from somebody",
        f"{_WORKSPACE}/policy.py",
        "    if not _may_know_of(person, subject):\n        return _unseen(person, subject.kind)\n",
        "",
        "tests/unit/workspace/test_policy.py::test_what_is_not_there_and_what_is_kept_from_one_read_the_same",
    ),
    (
        "the gate lets the deactivated read",
        f"{_WORKSPACE}/gates.py",
        "            of.c.workspace_id == row.c.workspace_id,\n"
        "            who.c.workspace_id == row.c.workspace_id,\n"
        "            who.c.status == MemberStatus.ACTIVE,\n",
        "            of.c.workspace_id == row.c.workspace_id,\n"
        "            who.c.workspace_id == row.c.workspace_id,\n",
        f"{_TESTS}/test_gates.py::test_a_gate_lets_through_exactly_what_the_decision_allows",
    ),
    (
        "search forgets the gate of messages",
        f"{_WORKSPACE}/gates.py",
        "        .where(of.c.member_id == member_id, who.c.status == MemberStatus.ACTIVE)\n",
        "        .where(who.c.status == MemberStatus.ACTIVE)\n",
        f"{_TESTS}/test_reads.py::test_search_finds_words_and_their_beginnings_only_where_one_may_read",
    ),
    (
        "a write is made whatever the judge says",
        f"{_WORKSPACE}/actions/perform.py",
        "if not ruling.allowed:",
        "if False:",
        f"{_TESTS}/test_parity.py::test_decision_ruling_and_deed_agree",
    ),
    (
        "a write that has been made is made again",
        f"{_WORKSPACE}/actions/perform.py",
        'Verdict.ALLOWED, receipt.written(), order.derived("audit"))',
        "Verdict.ALLOWED, receipt.written(), None)",
        f"{_TESTS}/test_perform.py::test_a_write_comes_again_under_its_key_and_nothing_more_happens",
    ),
    (
        "a digest leaves out the tool",
        f"{_WORKSPACE}/tools/tool.py",
        '{"tool": tool_name, "arguments": arguments}',
        '{"arguments": arguments}',
        "tests/unit/workspace/test_tools.py::test_other_arguments_or_another_tool_have_another_digest",
    ),
    (
        "row-level security lets every workspace in",
        f"{_WORKSPACE}/rls.py",
        'f"USING (workspace_id = {CURRENT}) WITH CHECK (workspace_id = {CURRENT})"',
        '"USING (true) WITH CHECK (true)"',
        f"{_TESTS}/test_gates.py::test_a_query_that_forgets_its_condition_sees_nothing_foreign",
    ),
    (
        "facts outlive a membership event",
        f"{_PERMISSIONS}/handlers.py",
        "        self._cache.drop(workspace_id)\n",
        "",
        "tests/integration/permissions/test_service.py::test_a_membership_event_makes_every_replica_forget",
    ),
    (
        "facts that were loaded before an event are kept after it",
        f"{_PERMISSIONS}/cache.py",
        " and mark == self.mark(key.workspace_id)",
        "",
        "tests/integration/permissions/test_service.py::test_facts_loaded_while_an_event_came_are_not_kept",
    ),
    (
        "a refused check leaves no audit row",
        f"{_PERMISSIONS}/bench.py",
        "            await connection.execute(audit.insertion(entry))\n",
        "            assert connection\n",
        f"{_TESTS}/test_perform.py::test_a_refused_write_changes_nothing_and_leaves_one_audit_row",
    ),
]
