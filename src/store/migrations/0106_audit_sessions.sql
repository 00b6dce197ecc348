-- The dashboard session of a change by a member, so that the changes of a stolen session can be told from the member's own.
alter table audit_log add column session_id record_id;

comment on column audit_log.session_id is 'Session of the member. Null for other actors and in rows from before the column.';
