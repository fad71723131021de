import type { Texts } from '../texts.ts';

export const templates: Texts['templates'] = {
	label: 'Szablon',
	none: 'Bez szablonu',
	hint: 'Kopiuje ustawienia, cele, lejki, segmenty, grupy stron i reguły ruchu z szablonu.',
	manage: 'Zarządzaj szablonami',
	manageText: 'Zmiana nazwy lub usunięcie szablonu nie zmienia witryn.',
	rename: 'Zmień nazwę',
	renameOne: 'Zmień nazwę: {{name}}',
	name: 'Nazwa szablonu',
	empty: 'Nie ma jeszcze szablonów.',
	save: {
		title: 'Zapisz jako szablon',
		text: 'Nowe witryny mogą przejąć ustawienia, cele, lejki, segmenty, grupy stron i reguły ruchu tej witryny. Hasła, nazwy hostów i odbiorcy nie są kopiowani.',
		done: 'Szablon zapisany. Możesz go wybrać podczas dodawania witryny.',
	},
	bulk: {
		open: 'Zmień kilka',
		title: 'Zmień kilka witryn',
		text: 'Witryny z tej strony listy.',
		selectAll: 'Zaznacz wszystkie',
		selectNone: 'Odznacz wszystkie',
		noneSelected: 'Zaznacz co najmniej jedną witrynę.',
		add: 'Dodaj etykiety',
		remove: 'Usuń etykiety',
		template: 'Zastosuj szablon',
		templateHint: 'Ustawia to, co zawiera szablon, i dodaje jego cele oraz inne elementy. Niczego nie usuwa.',
		send: 'Zastosuj',
	},
};
