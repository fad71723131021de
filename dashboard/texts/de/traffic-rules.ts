import type { Texts } from '../texts.ts';

export const trafficRules: Texts['trafficRules'] = {
	title: 'Traffic-Regeln',
	text: 'Aufrufe nach Pfad, Hostname, Land, verweisender Seite, Kampagne, User-Agent, IP-Netzwerk oder Netzbetreiber ausschließen. Regeln gelten für neuen Traffic. Die meisten lassen sich auch rückwirkend anwenden.',
	textForEditors:
		'Aufrufe nach Pfad, Hostname, Land, verweisender Seite, Kampagne, User-Agent, IP-Netzwerk oder Netzbetreiber ausschließen. Regeln gelten für neuen Traffic. Admins können die meisten auch rückwirkend anwenden.',
	add: 'Regel hinzufügen',
	edit: 'Regel bearbeiten',
	none: 'Noch keine Regeln.',
	noDrops: 'In den letzten 30 Tagen keine Aufrufe ausgeschlossen',
	dropped_one: '{{total}} Aufruf in den letzten 30 Tagen ausgeschlossen',
	dropped_other: '{{total}} Aufrufe in den letzten 30 Tagen ausgeschlossen',
	kind: 'Ausschließen nach',
	kinds: {
		path: 'Pfad',
		hostname: 'Hostname',
		country: 'Land',
		referrer: 'Verweisende Seite',
		campaign: 'Kampagne (utm_campaign)',
		user_agent: 'User-Agent',
		network: 'IP-Adresse oder Netzwerk',
		operator: 'Netzbetreiber',
	},
	domain: 'ist die Domain oder eine Subdomain von',
	values: 'Werte',
	perLine: 'Ein Wert pro Zeile. Aufrufe, die einem der Werte entsprechen, werden ausgeschlossen.',
	country: 'Ländercodes aus zwei Buchstaben, einer pro Zeile.',
	operatorNumbers: 'AS-Nummern wie AS64500, eine pro Zeile.',
	operatorNames: 'Teile von Namen, einer pro Zeile. Groß- und Kleinschreibung wird nicht beachtet.',
	operatorsMissing:
		'Diese Regel trifft auf nichts zu, weil die Datenbank der Netzbetreiber nicht installiert ist. Um sie zu installieren, führe {{command}} auf dem Server aus.',
	firstPage:
		'Schließt nur Aufrufe mit dieser verweisenden Seite oder dieser Kampagne aus, meist den ersten Seitenaufruf eines Besuchs. Weitere Seiten des Besuchs werden gezählt.',
	applies: 'Gilt für neuen Traffic. Nach dem Speichern lässt sie sich auch rückwirkend anwenden.',
	appliesForEditors: 'Gilt für neuen Traffic. Admins können sie auch rückwirkend anwenden.',
	appliesToNew:
		'Gilt nur für neuen Traffic, da IP-Adressen, Netzbetreiber und User-Agents nicht gespeichert werden.',
	matches_one: 'Die Regel trifft auf {{total}} Besuch der letzten 30 Tage zu.',
	matches_other: 'Die Regel trifft auf {{total}} Besuche der letzten 30 Tage zu.',
	noMatch: 'Die Regel trifft auf keinen Besuch der letzten 30 Tage zu.',
	loading: 'Passende Besuche werden gezählt…',
	reasons: {
		not_stored:
			'Keine Vorschau: IP-Adressen, Netzbetreiber und User-Agents werden nicht gespeichert, daher lassen sich frühere Besuche nicht prüfen.',
		too_many_values: 'Keine Vorschau bei mehr als 1.000 Werten.',
		not_available: 'Keine Vorschau: Für die letzten 30 Tage liegen nicht alle Besuchsdaten vor.',
	},
	nameTaken: 'Es gibt bereits eine Regel mit diesem Namen.',
	valuesNeeded: 'Gib mindestens einen Wert ein.',
	badValue: 'Wert {{number}} ist für diese Art von Regel ungültig.',
	deleteText:
		'Neuer Traffic, auf den die Regel zutrifft, wird wieder gezählt. Ausgeschlossene Aufrufe werden nicht wiederhergestellt.',
	byRule: 'Nach Traffic-Regel',
};
