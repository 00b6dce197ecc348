alter table request_log add column problems jsonb;

comment on column request_log.problems is 'The invalid values of a rejected request: the path of each and the code of the violated rule, without the value. Null if there are none.';
