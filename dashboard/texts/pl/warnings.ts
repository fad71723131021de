import type { Texts } from '../texts.ts';

export const warnings: Texts['warnings'] = {
	otherAddress:
		'Otwarto {{here}}, ale publiczny adres URL to {{address}}. Fragmenty kodu i linki używają adresu publicznego.',
	proxyWarning:
		'Tidemark działa za niezaufanym proxy, więc wszyscy odwiedzający wydają się mieć adres IP proxy. Ustaw TIDEMARK_TRUSTED_PROXIES={{proxy}} i uruchom serwer ponownie.',
	proxyPerhaps:
		'Niektóre żądania zawierają niezaufany nagłówek X-Forwarded-For. Jeśli Tidemark działa za Twoim proxy, ustaw TIDEMARK_TRUSTED_PROXIES na jego adres i uruchom serwer ponownie. W przeciwnym razie możesz to zignorować.',
	unconfirmed: {
		text: 'Potwierdź adres e-mail linkiem wysłanym na {{email}}. Do tego czasu nie możesz otrzymywać raportów, alertów ani przenoszonych witryn.',
		noMail:
			'Twój adres e-mail {{email}} nie jest potwierdzony, dlatego nie możesz otrzymywać raportów, alertów ani przenoszonych witryn. Poproś operatora serwera o jego potwierdzenie.',
		again: 'Wyślij ponownie e-mail z potwierdzeniem',
		sent: 'Wysłano potwierdzenie na {{email}}.',
	},
};
