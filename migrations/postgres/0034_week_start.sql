-- The first day of a week for its owner, in the dashboard.
ALTER TABLE accounts ADD COLUMN week_start text NOT NULL DEFAULT 'monday' CHECK (week_start IN ('monday', 'sunday'));
