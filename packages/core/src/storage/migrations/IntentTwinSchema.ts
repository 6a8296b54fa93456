/** An unfinished trade absorbs an identical one, so there is at most one of them while it is unfinished. */
export const intentTwinSchema: ReadonlyArray<string> = [
  // The request as text, while no second identical one may be open; null when several may.
  `alter table intents add column twin text`,
  `create unique index intents_twin on intents (wallet, network, pool, twin)
    where twin is not null and status in ('accepted', 'submitted')`,
  // An outcome that a reorg takes back must not collide with an identical trade that was accepted in between.
  `create function end_twin() returns trigger language plpgsql as $$
    begin
      new.twin := null;
      return new;
    end
  $$`,
  `create trigger end_twin before update of status on intents for each row
    when (new.twin is not null and new.status in ('succeeded', 'failed')) execute function end_twin()`
]
