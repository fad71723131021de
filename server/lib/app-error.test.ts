import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from './app-error.ts';

test('[T30] a refusal does not walk the stack, and other errors still do', () => {
	assert.equal(new AppError('not_found', 'There is none.').stack, 'AppError: There is none.');
	assert.match(new Error('a bug').stack ?? '', /app-error\.test/);
});
