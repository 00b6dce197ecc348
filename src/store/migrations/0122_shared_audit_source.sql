-- The address from which an operator changed data that no merchant owns, as audit_log has it for the data of merchants.
alter table shared_audit_log add column source_ip inet;

comment on column shared_audit_log.source_ip is 'The address of the actor. Null for the system, and for rows from before this column.';
