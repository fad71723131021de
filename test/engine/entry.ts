import { runEngine } from '../../server/engine/child.ts';

runEngine();
