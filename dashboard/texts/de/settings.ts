import type { Texts } from '../texts.ts';

export const settings: Texts['settings'] = {
	title: 'Einstellungen',
	chooseTab: 'Einstellungen: {{tab}}',
	readOnly:
		'Du hast nur Lesezugriff. Bearbeiter und Admins dieser Website können diese Einstellungen ändern.',
	adminsOnly: 'Nur Admins dieser Website können diese Einstellungen ändern.',
	tabs: {
		general: {
			title: 'Allgemein',
			text: 'Domain, Zeitzone, Hostnamen und Labels.',
		},
		sharing: {
			title: 'Teilen',
			text: 'Wer die Statistik sehen kann und wie sie auf anderen Seiten erscheint.',
		},
		goals: {
			title: 'Ziele',
			text: 'Seiten und Ereignisse, die als Conversion zählen.',
		},
		paths: {
			title: 'Seitengruppen',
			text: 'Regeln, die Seiten zusammenfassen, etwa alle Produktseiten.',
		},
		exclusions: {
			title: 'Ausschlüsse',
			text: 'Traffic, der nicht gezählt wird.',
		},
		drops: {
			title: 'Ausgeschlossener Traffic',
			text: 'Nicht gezählte Aufrufe nach Grund.',
		},
		alerts: {
			title: 'Warnungen',
			text: 'Benachrichtigungen über Spitzen, fehlenden Traffic und Ziele.',
		},
		reports: {
			title: 'Berichte',
			text: 'Wöchentliche und monatliche Zusammenfassungen.',
		},
		people: {
			title: 'Mitglieder',
			text: 'Wer Zugriff auf diese Website hat und wem sie gehört.',
		},
		changes: {
			title: 'Aktivitätsprotokoll',
			text: 'Alle Änderungen an dieser Website. Einträge sind unveränderlich.',
		},
		data: {
			title: 'Daten',
			text: 'Aufbewahrung, Import, Export und Löschung.',
		},
	},
	unsaved: {
		title: 'Nicht gespeicherte Änderungen',
		discard: 'Verwerfen',
		save: 'Änderungen speichern',
		leaveTitle: 'Ohne Speichern verlassen?',
		leaveText: 'Deine Änderungen sind nicht gespeichert: {{titles}}.',
		leave: 'Verlassen',
	},
	domain: {
		title: 'Domain',
		text: 'Beim Umbenennen bleiben ID ({{id}}), Statistik und Snippet erhalten. Danach zählen nur noch Seiten der neuen Domain.',
		hint: 'Um die alte Domain weiter zu zählen, trage beide unter Hostnamen ein.',
		taken: 'Du hast bereits eine Website {{domain}}.',
		bad: 'Gib eine gültige Domain ein, zum Beispiel example.com.',
	},
	install: {
		title: 'Snippet',
		text: 'Die ID dieser Website ist {{id}}.',
		link: 'Installationsanleitungen',
	},
	zone: {
		title: 'Zeitzone',
		unknown: 'Gib eine gültige Zeitzone ein, zum Beispiel Europe/Berlin.',
		text: 'Legt fest, wann ein Tag beginnt und endet. Vergangene Tage behalten ihre Zeitzone.',
	},
	hostnames: {
		title: 'Hostnamen',
		text: '{{domain}} zählt immer. Subdomains zählen ebenfalls, solange du hier keine anderen Hostnamen angibst.',
		label: 'Erlaubte Hostnamen (einer pro Zeile)',
		bad: 'Zeile {{line}} ist kein gültiger Hostname. Beispiele: example.com, *.example.com, !old.example.com, localhost.',
		hint: '*.example.com erlaubt alle Subdomains, !old.example.com schließt einen Hostnamen aus, localhost erlaubt deinen Rechner.',
	},
	labels: {
		title: 'Labels',
		text: 'Gruppiere Websites mit eigenen Labels.',
		hint: 'Labels mit Kommas trennen (bis zu 20).',
		bad: 'Gib bis zu 20 Labels mit jeweils bis zu 50 Zeichen ein.',
	},
	favorite: {
		title: 'Favorit',
		label: 'Oben in der Website-Liste anheften',
	},
	privacy: {
		title: 'Sichtbarkeit',
		text: 'Gespeicherte Änderungen gelten auch für bereits geöffnete Seiten.',
		modes: {
			public: {
				title: 'Öffentlich',
				text: 'Alle mit dem Link können die Statistik sehen, aber keine Einstellungen.',
			},
			private: {
				title: 'Privat',
				text: 'Nur du und eingeladene Mitglieder können die Statistik sehen.',
			},
			password: {
				title: 'Passwort',
				text: 'Alle mit Link und Passwort können die Statistik sehen. Der Zugriff gilt einen Tag.',
			},
		},
		password: 'Passwort',
		passwordHint: 'Nur während der Eingabe sichtbar, später nicht mehr.',
		newPassword: 'Neues Passwort',
		keep: 'Leer lassen, um das aktuelle Passwort zu behalten. Ein neues Passwort beendet den Zugriff mit dem alten.',
		needed: 'Gib ein Passwort ein.',
		leftOver: 'Ein gespeichertes Passwort wird in diesem Modus nicht verwendet.',
		remove: 'Passwort entfernen',
		off: 'Öffentliche Statistiken sind auf diesem Server deaktiviert (TIDEMARK_PUBLIC_STATS). Alle Websites gelten als privat.',
	},
	address: {
		title: 'Öffentliche Seite',
		label: 'Link zur Statistik',
		text: {
			public: 'Alle mit diesem Link können die Statistik sehen.',
			private: 'Diese Website ist privat. Ändere die Sichtbarkeit, um sie zu teilen.',
			password: 'Besucher müssen das Passwort eingeben. Sende es separat.',
		},
	},
	engines: {
		title: 'Suchmaschinen',
		label: 'Suchmaschinen dürfen diese Statistik indexieren',
		hint: 'Wenn aus, werden Suchmaschinen gebeten, diese Seite nicht aufzunehmen.',
		publicOnly: 'Gilt nur, solange die Website öffentlich ist.',
	},
	email: {
		title: 'E-Mail',
		label: 'Berichte per E-Mail',
		hint: 'Eine Zusammenfassung dieser Statistik per E-Mail.',
	},
	bots: {
		title: 'Bots',
		label: 'Bots ausschließen',
		hint: 'Crawler, Monitoring-Tools und Headless-Browser.',
	},
	signals: {
		title: 'Datenschutzsignale',
		label: 'Global Privacy Control und Do Not Track achten',
		hint: 'Besucher, deren Browser ein Datenschutzsignal sendet, werden nicht gezählt.',
	},
	addresses: {
		title: 'IP-Adressen',
		hidden: 'Nur Bearbeiter und Admins dieser Website können diese Liste sehen.',
		text: 'Traffic von diesen IP-Adressen und Netzwerken wird ignoriert.',
		label: 'IP-Adressen und Netzwerke (eine pro Zeile)',
		hint: 'IPv4 oder IPv6; Netzwerke in CIDR-Notation, zum Beispiel 10.0.0.0/8.',
		addMine: 'Meine IP-Adresse hinzufügen',
		bad: 'Zeile {{line}} ist keine gültige IP-Adresse und kein Netzwerk wie 10.0.0.0/8.',
		added: '{{address}} hinzugefügt. Speichere, um es zu übernehmen.',
		known: '{{address}} ist bereits in der Liste.',
	},
	ownVisits: {
		title: 'Deine eigenen Besuche',
		text: 'IP-Adressen ändern sich. Öffne diesen Link einmal in einem Browser, um ihn auf dieser Website auszuschließen.',
		label: 'Opt-out-Link für diesen Browser',
		back: 'Mit #tidemark-count statt #tidemark-ignore wird der Browser wieder gezählt.',
	},
	params: {
		title: 'Query-Parameter',
		text: 'Diese Query-Parameter werden vor dem Speichern aus URLs entfernt.',
		label: 'Parameternamen (einer pro Zeile)',
		hint: 'Gib & ein, um alle Parameter zu entfernen.',
	},
	goals: {
		add: 'Ziel hinzufügen',
		edit: 'Ziel bearbeiten',
		none: 'Noch keine Ziele',
		noneText:
			'Ein Ziel zählt Besuche, die eine Seite erreichen oder ein Ereignis auslösen, zum Beispiel eine Dankesseite oder eine Registrierung.',
		name: 'Name',
		kind: 'Typ',
		kinds: {
			page: {
				title: 'Seite',
				text: 'Eine Seite wird aufgerufen.',
				bad: 'Ein Pfad beginnt mit / oder * und enthält höchstens fünf *.',
				pattern: 'Seitenpfad',
			},
			event: {
				title: 'Ereignis',
				text: 'Ein eigenes Ereignis wird gesendet.',
				bad: 'Ein Name enthält höchstens fünf *.',
				pattern: 'Ereignisname',
			},
		},
		wildcard: '* steht für beliebige Zeichen (bis zu fünfmal).',
		property: 'Eigenschaft (optional)',
		propertyHint: 'Das Ereignis muss auch diese Eigenschaft haben, mit einem passenden Wert.',
		value: 'Wert',
		valueNeeded: 'Gib einen Wert für die Eigenschaft ein.',
		numberNeeded: 'Gib eine Zahl ein, etwa 10 oder 19,99.',
		nameNeeded: 'Gib einen Namen ein.',
		nameTaken: 'Es gibt bereits ein Ziel mit diesem Namen.',
		editOne: '{{name}} bearbeiten',
		deleteOne: '{{name}} löschen',
		deleteTitle: '{{name}} löschen?',
		deleteText:
			'Die Ereignisse bleiben erhalten. Ein Ziel mit derselben Regel zeigt wieder dieselben Zahlen.',
	},
	drops: {
		period: 'Zeitraum',
		periods: {
			'7d': 'Letzte 7 Tage',
			'30d': 'Letzte 30 Tage',
			'12months': 'Letzte 12 Monate',
		},
		none: 'Kein ausgeschlossener Traffic',
		noneText: 'In diesem Zeitraum wurden alle Aufrufe gezählt.',
		total_one: '{{total}} Aufruf wurde ausgeschlossen.',
		total_other: '{{total}} Aufrufe wurden ausgeschlossen.',
		byReason: 'Nach Grund',
		byDay: 'Nach Tag',
		day: 'Tag',
		why: 'Grund',
		hits: 'Aufrufe',
		hostnames: 'Unbekannte Hostnamen',
		hostnamesText:
			'Diese Hostnamen haben Aufrufe gesendet, sind aber nicht erlaubt. Erlaube einen, um ihn ab jetzt zu zählen.',
		countThis: 'Erlauben',
		countThisName: '{{hostname}} erlauben',
		countsNow: 'Erlaubt',
		reasons: {
			prefetch: {
				title: 'Prefetch',
				text: 'Der Browser hat die Seite vorab geladen. Sie wird gezählt, sobald sie angezeigt wird.',
			},
			bot: {
				title: 'Bot',
				text: 'Ein Bot, Tool oder Headless-Browser. Unter Ausschlüsse kannst du Bots zählen lassen.',
			},
			excluded_address: {
				title: 'Ausgeschlossene IP-Adresse',
				text: 'Die IP-Adresse steht in deiner Liste unter Ausschlüsse.',
			},
			foreign_hostname: {
				title: 'Unbekannter Hostname',
				text: 'Die Seite liegt auf keinem erlaubten Hostnamen: eine Kopie, eine Testumgebung oder eine andere Website mit deinem Snippet.',
			},
			privacy_signal: {
				title: 'Datenschutzsignal',
				text: 'Der Browser hat Global Privacy Control oder Do Not Track gesendet. Das kannst du unter Ausschlüsse ändern.',
			},
			bad_url: {
				title: 'Ungültige URL',
				text: 'Die URL war keine http- oder https-Seite: eine gespeicherte Seite, eine App oder ein ungültiger Aufruf.',
			},
			late: {
				title: 'Zu spät',
				text: 'Es traf zu spät ein, um einem Besucher zugeordnet zu werden. Server müssen Ereignisse innerhalb von sieben Tagen senden.',
			},
			erased: {
				title: 'Vor dem Zurücksetzen',
				text: 'Es geschah vor dem Zurücksetzen der Statistik.',
			},
			over_budget: {
				title: 'Ratenlimit überschritten',
				text: 'Die Website hat mehr Aufrufe erhalten, als ihr Ratenlimit erlaubt. Seiten versuchen es bis zu dreimal erneut, daher wurden manche später gezählt. Bei echtem Traffic bitte den Betreiber um ein höheres Limit.',
			},
			rule: {
				title: 'Traffic-Regel',
				text: 'Eine Traffic-Regel hat zugetroffen. Regeln lassen sich unter Ausschlüsse ändern.',
			},
		},
	},
	retention: {
		title: 'Aufbewahrung',
		text: 'Löscht Ereignisse und Besuche nach einer festgelegten Zeit. Tagessummen und damit frühere Diagramme bleiben erhalten.',
		label: 'Aufbewahrung in Monaten',
		placeholder: 'Unbegrenzt',
		forever: 'Leer lassen, um Ereignisse und Besuche unbegrenzt aufzubewahren.',
		deletes: 'Ereignisse und Besuche vor dem {{date}} werden innerhalb eines Tages endgültig gelöscht.',
		range: 'Gib eine ganze Zahl von 1 bis 120 ein oder lass das Feld leer.',
		saveAndDelete: 'Speichern und ältere Daten löschen',
	},
	reset: {
		title: 'Statistik zurücksetzen',
		text: 'Löscht alle erfassten Daten. Website, Einstellungen und Ziele bleiben erhalten, und die Zählung läuft weiter.',
		warning: 'Die gesamte Statistik von {{domain}} wird gelöscht. Das kann nicht rückgängig gemacht werden.',
		confirm: 'Statistik zurücksetzen',
		done: 'Statistik zurückgesetzt.',
	},
	delete: {
		title: 'Website löschen',
		text: 'Löscht die Website, ihre Einstellungen und ihre gesamte Statistik. Ihre ID wird nie wieder vergeben.',
		warning:
			'{{domain}} und die gesamte Statistik werden gelöscht. Das kann nicht rückgängig gemacht werden.',
		confirm: 'Website löschen',
	},
	typed: {
		label: 'Gib {{domain}} ein, um zu bestätigen',
		wrong: 'Der Name stimmt nicht mit {{domain}} überein.',
	},
	embed: {
		frame: 'Einbetten',
		frameText:
			'Bette die Statistik als iframe ein, hell oder dunkel. Nur die folgenden Origins dürfen sie einbetten.',
		origins: 'Erlaubte Origins (eine pro Zeile)',
		originsHint:
			'Zum Beispiel https://example.com oder https://*.example.com. Leer lassen, um das Einbetten zu deaktivieren.',
		page: 'Seite',
		frameCode: 'Einbettungscode',
		badge: 'Badge',
		badgeText: 'Ein Bild mit der Zahl der Besucher, jede Minute aktualisiert.',
		badgeCode: 'Badge-Code',
		title: 'Einbetten und Badge',
		publicOnly:
			'Nur öffentliche Websites und Freigabelinks ohne Passwort lassen sich einbetten. Ein Badge haben nur öffentliche Websites.',
		preview: 'Vorschau',
		badgeLook: 'Stil',
		looks: {
			badge: 'Badge',
			counter: 'Zähler',
		},
	},
};
