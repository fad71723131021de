import type { Texts } from '../texts.ts';

export const providers: Texts['providers'] = {
	continue: 'Kontynuuj z {{provider}}',
	or: 'lub',
	only: 'Zaloguj się przez dostawcę tożsamości swojej organizacji.',
	start: 'Nie można połączyć się z {{provider}}. Spróbuj ponownie później.',
	refusals: {
		expired:
			'Logowanie trwało zbyt długo albo rozpoczęto je w innej przeglądarce lub pod innym adresem. Spróbuj ponownie.',
		denied: 'Dostawca Cię nie zalogował. Spróbuj ponownie lub użyj innego konta.',
		unavailable: 'Nie można połączyć się z dostawcą. Spróbuj ponownie później.',
		invalid:
			'Odpowiedź dostawcy nie przeszła kontroli bezpieczeństwa. Poinformuj operatora tego serwera; przyczyna jest w dzienniku.',
		unverified: 'Dostawca nie zweryfikował Twojego adresu e-mail. Zweryfikuj go tam i spróbuj ponownie.',
		domain: 'Adresy e-mail z tej domeny nie są akceptowane. Użyj innego konta.',
		unknown: 'Nie masz tu konta. Poproś właściciela o zaproszenie na adres e-mail Twojego konta u dostawcy.',
		disabled: 'Twoje konto jest wyłączone. Skontaktuj się z operatorem tego serwera.',
		taken:
			'To konto u dostawcy jest połączone z inną osobą albo masz już połączone inne. Najpierw je odłącz.',
	},
	proof: {
		title: 'Czy to Ty?',
		link: '{{provider}} potwierdza adres {{email}}, a konto z tym adresem już istnieje. Wpisz raz jego hasło, aby połączyć {{provider}}.',
		code: 'Wpisz kod z aplikacji uwierzytelniającej lub kod odzyskiwania.',
		submit: 'Połącz i zaloguj się',
		submitCode: 'Zaloguj się',
		forgotten: 'Jeśli nie masz hasła, ustaw je przez „Nie pamiętasz hasła?”.',
		taken: 'To konto jest już połączone z innym kontem u dostawcy {{provider}}.',
	},
	account: {
		title: 'Dostawcy tożsamości',
		text: 'Loguj się kontem, które masz gdzie indziej.',
		linked: 'Połączono {{made}}, ostatnio użyto {{used}}',
		none: 'Niepołączony',
		link: 'Połącz',
		unlink: 'Odłącz',
		linkLabel: 'Połącz {{provider}}',
		unlinkLabel: 'Odłącz {{provider}}',
		unlinkText:
			'Nie będzie już można logować się przez {{provider}}, a role nadane przez jego grupy przepadną.',
		onlyOne: 'To Twój jedyny sposób logowania.',
		done: 'Dostawca jest połączony. Od teraz możesz się przez niego logować.',
		noPassword:
			'Nie masz hasła. Niektóre zmiany, np. połączenie dostawcy lub utworzenie klucza API, wymagają hasła.',
		noMail: 'Poproś operatora tego serwera o link do ustawienia hasła.',
		setPassword: 'Wyślij mi link do ustawienia hasła',
		mailed: 'Link do ustawienia hasła wysłano na adres {{email}}.',
	},
	join: 'Twoje konto powstanie podczas logowania.',
};
