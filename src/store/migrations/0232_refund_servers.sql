-- The server of a refund is the one that stores it, also in a distributed database. There, a function in the statement of
-- an insert runs on another server, and the job that submits refunds would search every new refund at its provider.
create function set_refund_server() returns trigger
language plpgsql
as $$
begin
  new.created_server := server_identity();
  return new;
end
$$;

-- Only a refund that a job will submit needs its server. The function reads the server's control file.
create trigger refund_has_its_server
before insert on refunds
for each row
when (new.next_check_at is not null)
execute function set_refund_server();
