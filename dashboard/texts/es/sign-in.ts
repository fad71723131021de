import type { Texts } from '../texts.ts';

export const signIn: Texts['signIn'] = {
	title: 'Iniciar sesión',
	email: 'Correo electrónico',
	emailWrong: 'Esto no es una dirección de correo electrónico.',
	password: 'Contraseña',
	submit: 'Iniciar sesión',
	forgotten: '¿Has olvidado tu contraseña?',
	toSignIn: 'Ir al inicio de sesión',
	plainHttp:
		'Esta página llega por http sin cifrar: quien esté en la misma red puede leer lo que escribes, también tu contraseña.',
	passwordSet: 'Tu contraseña está definida. Inicia sesión con ella.',
	sessionLost:
		'Todo era correcto, pero el navegador no ha mantenido la sesión: Tidemark está configurado para https y esta página no lo usa. Ábrela en su dirección https.',
	minimum:
		'Al menos 10 caracteres. Unas cuantas palabras seguidas son fáciles de recordar y difíciles de adivinar.',
	tooShort: 'Una contraseña tiene al menos 10 caracteres.',
	code: {
		title: 'Un paso más',
		text: 'Escribe el código que tu aplicación de autenticación muestra para Tidemark.',
		label: 'Código',
		wrong: 'Este código no es correcto o ya se ha usado. La aplicación muestra uno nuevo cada medio minuto.',
		useRecovery: 'Usar un código de recuperación',
		recoveryText:
			'Escribe uno de los diez códigos que guardaste al activar la verificación en dos pasos. Cada uno sirve una vez.',
		recoveryLabel: 'Código de recuperación',
		recoveryWrong: 'Este código de recuperación no es correcto o ya se ha usado.',
		useApp: 'Usar la aplicación',
	},
	forgottenPage: {
		title: 'Obtener una contraseña nueva',
		text: 'Quien gestiona este servicio crea un enlace para ti. Sirve para definir una contraseña nueva, una sola vez y en media hora.',
		mailText:
			'Te enviamos un enlace por correo. Sirve para definir una contraseña nueva, una sola vez y en media hora.',
		mailSubmit: 'Enviarme un enlace',
		mailed: 'Si hay una cuenta con esta dirección, el enlace va en camino.',
		command: 'Comando en el servidor',
		commandText: 'Ejecuta esto en el servidor donde está instalado Tidemark, con tu correo electrónico:',
		notOperator: '¿No lo gestionas tú? Pídelo a quien lo haga e indica tu correo electrónico.',
	},
	setPassword: {
		title: 'Define tu contraseña',
		reset: 'Elige una contraseña nueva. Se cerrará la sesión en todos los navegadores que usen la cuenta.',
		invitation: 'Te damos la bienvenida a Tidemark. Elige una contraseña y ya está.',
		label: 'Contraseña nueva',
		submit: 'Definir la contraseña e iniciar sesión',
	},
	deadLink: {
		title: 'Este enlace ya no funciona',
		text: 'Ya se ha usado, es demasiado antiguo o lo ha sustituido uno más reciente.',
		again: 'Obtener uno nuevo',
	},
	setUp: {
		title: 'Configurar Tidemark',
		text: 'Aquí se crea la primera cuenta. El enlace sirve una sola vez.',
		name: 'Tu nombre',
		zone: 'Zona horaria',
		zoneHint: 'Los días de los sitios nuevos empiezan y terminan según ella.',
		address: 'Dirección pública',
		addressHint:
			'Donde los navegadores encuentran este servicio. Los fragmentos de código y los enlaces empiezan por ella.',
		addressFixed: 'Definida por TIDEMARK_BASE_URL en el servidor.',
		addressWrong: 'Escribe http:// o https:// y el host, y nada después.',
		submit: 'Crear la cuenta',
		deadTitle: 'Este enlace de configuración ya no funciona',
		dead: 'Ya hay una cuenta, o el servicio se ha reiniciado y ha mostrado un enlace más reciente. Mira al final de su salida.',
		doneTitle: 'La cuenta está creada',
		done: 'Inicia sesión en la dirección pública: {{address}}',
	},
};
