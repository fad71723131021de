import './styles/tokens.css';
import './styles/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { askAsNobody } from './api-client.ts';
import { watchConnection } from './connection.ts';
import { isEmbedded } from './embed.ts';
import { watchStyles } from './lazy-page.ts';
import { queries } from './queries.ts';
import { App } from './routes.tsx';
import { startTexts } from './texts/texts.ts';
import { followSystemTheme } from './theme.ts';

followSystemTheme();
watchStyles();
watchConnection();
if (isEmbedded) askAsNobody();
await startTexts();
const root = document.getElementById('root');
if (root)
	createRoot(root).render(
		<StrictMode>
			<QueryClientProvider client={queries}>
				<App />
			</QueryClientProvider>
		</StrictMode>,
	);
