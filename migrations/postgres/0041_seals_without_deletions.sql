-- During a rolling upgrade, a process of a version without deletions may seal a day with events that are hidden. The day stays unsealed.
CREATE FUNCTION keep_day_unsealed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.sealed_batch := -1;
	RETURN NEW;
END $$;
CREATE TRIGGER days_stay_unsealed BEFORE UPDATE OF sealed_batch ON days FOR EACH ROW
	WHEN (NEW.sealed_batch > OLD.sealed_batch AND NEW.deletions_revision > NEW.sealed_revision)
	EXECUTE FUNCTION keep_day_unsealed();
