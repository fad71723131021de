-- The origins whose pages may show the public statistics of a website in a frame, one a line; none is nobody.
ALTER TABLE websites ADD COLUMN embed_origins text;
