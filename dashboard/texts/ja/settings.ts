import type { Texts } from '../texts.ts';

export const settings: Texts['settings'] = {
	title: '設定',
	chooseTab: '設定: {{tab}}',
	readOnly: '閲覧のみ可能です。この設定を変更できるのは、このサイトの編集者と管理者です。',
	adminsOnly: 'これらの設定を変更できるのは、このサイトの管理者のみです。',
	tabs: {
		general: {
			title: '一般',
			text: 'ドメイン、タイムゾーン、ホスト名、ラベル。',
		},
		privacy: {
			title: '公開範囲',
			text: 'このサイトの統計を見られる人。',
		},
		goals: {
			title: '目標',
			text: 'コンバージョンとして数えるページとイベント。',
		},
		exclusions: {
			title: '除外',
			text: '集計しないトラフィック。',
		},
		drops: {
			title: '除外されたトラフィック',
			text: '集計されなかったヒットと理由。',
		},
		alerts: {
			title: 'アラート',
			text: '急増、トラフィックの停止、目標の通知。',
		},
		reports: {
			title: 'レポート',
			text: '週次と月次のまとめ。',
		},
		people: {
			title: 'メンバー',
			text: 'このサイトにアクセスできる人とオーナー。',
		},
		changes: {
			title: 'アクティビティログ',
			text: 'このサイトのすべての変更。記録は編集できません。',
		},
		data: {
			title: 'データ',
			text: '保持期間、インポート、エクスポート、削除。',
		},
	},
	domain: {
		title: 'ドメイン',
		text: '名前を変更しても、サイトの ID（{{id}}）、統計、スニペットは変わりません。以後は新しいドメインのページだけが集計されます。',
		hint: '古いドメインも引き続き集計するには、「ホスト名」に両方を追加してください。',
		rename: 'サイト名を変更',
		taken: 'サイト {{domain}} はすでにあります。',
		bad: '有効なドメインを入力してください（例: example.com）。',
	},
	install: {
		title: 'スニペット',
		text: 'このサイトの ID は {{id}} です。',
		link: '設置ガイド',
	},
	zone: {
		title: 'タイムゾーン',
		unknown: '有効なタイムゾーンを入力してください（例: Asia/Tokyo）。',
		text: '1 日の始まりと終わりを決めます。過去の日のタイムゾーンは変わりません。',
	},
	hostnames: {
		title: 'ホスト名',
		text: '{{domain}} は常に集計されます。ここに他のホスト名を指定しない限り、サブドメインも集計されます。',
		label: '許可するホスト名（1 行に 1 つ）',
		bad: '{{line}} 行目は有効なホスト名ではありません。例: example.com、*.example.com、!old.example.com、localhost。',
		hint: '*.example.com はすべてのサブドメインを許可し、!old.example.com はホスト名を除外し、localhost は自分のコンピューターを許可します。',
	},
	labels: {
		title: 'ラベル',
		text: '独自のラベルでサイトを分類します。',
		hint: 'ラベルはカンマで区切ります（最大 20 個）。',
		bad: 'ラベルは最大 20 個、それぞれ 50 文字以内で入力してください。',
	},
	favorite: {
		title: 'お気に入り',
		label: 'サイト一覧の先頭に固定',
	},
	privacy: {
		title: '公開範囲',
		text: '変更は、開いているページも含めてすぐに反映されます。',
		modes: {
			public: {
				title: '公開',
				text: 'リンクを知っている人は誰でも統計を見られますが、設定は見られません。',
			},
			private: {
				title: '非公開',
				text: 'あなたと招待したメンバーだけが統計を見られます。',
			},
			password: {
				title: 'パスワード',
				text: 'リンクとパスワードを知っている人は誰でも統計を見られます。アクセスは 1 日有効です。',
			},
		},
		password: 'パスワード',
		passwordHint: '入力中のみ表示されます。後から再表示することはできません。',
		newPassword: '新しいパスワード',
		keep: '空欄の場合、現在のパスワードが維持されます。新しいパスワードを設定すると、以前のパスワードを使っていた全員がアクセスできなくなります。',
		needed: 'パスワードを入力してください。',
		leftOver: '保存されているパスワードは、このモードでは使用されません。',
		remove: 'パスワードを削除',
		off: 'このサーバーでは公開統計が無効です（TIDEMARK_PUBLIC_STATS）。すべてのサイトが非公開として扱われます。',
	},
	address: {
		title: '共有リンク',
		label: '統計へのリンク',
		text: {
			public: 'このリンクを知っている人は誰でも統計を見られます。',
			private: 'このサイトは非公開です。共有するには公開範囲を変更してください。',
			password: '閲覧者はパスワードの入力が必要です。パスワードは別途送ってください。',
		},
	},
	engines: {
		title: '検索エンジン',
		label: '検索エンジンによるこの統計のインデックス登録を許可する',
		hint: 'オフの場合、ページは noindex を送信します。',
		publicOnly: 'サイトが公開されている間のみ適用されます。',
	},
	email: {
		title: 'メール',
		label: 'メールレポート',
		hint: 'この統計の要約をメールで送ります。',
	},
	bots: {
		title: 'ボット',
		label: 'ボットを除外する',
		hint: 'クローラー、監視ツール、ヘッドレスブラウザー。',
	},
	signals: {
		title: 'プライバシー信号',
		label: 'Global Privacy Control と Do Not Track を尊重する',
		hint: 'プライバシー信号を送信するブラウザーの訪問者は集計されません。',
	},
	addresses: {
		title: 'IP アドレス',
		hidden: 'この一覧を閲覧できるのは、このサイトの編集者と管理者のみです。',
		text: 'これらの IP アドレスとネットワークからのトラフィックは無視されます。',
		label: 'IP アドレスとネットワーク（1 行に 1 つ）',
		hint: 'IPv4 または IPv6。ネットワークは 10.0.0.0/8 のような CIDR 表記で入力します。',
		addMine: '自分の IP アドレスを追加',
		bad: '{{line}} 行目は有効な IP アドレスまたはネットワーク（例: 10.0.0.0/8）ではありません。',
		added: '{{address}} を追加しました。保存すると反映されます。',
		known: '{{address}} はすでに一覧にあります。',
	},
	ownVisits: {
		title: '自分の訪問',
		text: 'IP アドレスは変わります。ブラウザーでこのリンクを一度開くと、そのブラウザーがこのサイトから除外されます。',
		label: 'このブラウザーのオプトアウトリンク',
		back: '#tidemark-ignore の代わりに #tidemark-count を使うと、ブラウザーが再び集計されます。',
	},
	params: {
		title: 'クエリパラメーター',
		text: 'これらのクエリパラメーターは、保存前に URL から削除されます。',
		label: 'パラメーター名（1 行に 1 つ）',
		hint: '& と入力すると、すべてのパラメーターを削除します。',
	},
	goals: {
		add: '目標を追加',
		edit: '目標を編集',
		none: '目標はまだありません',
		noneText: '目標は、サンクスページや登録など、ページに到達した訪問やイベントが発生した訪問を数えます。',
		name: '名前',
		kind: '種類',
		kinds: {
			page: {
				title: 'ページ',
				text: 'ページが表示される。',
				bad: 'パスは / または * で始まり、* は 5 個までです。',
				pattern: 'ページのパス',
			},
			event: {
				title: 'イベント',
				text: 'カスタムイベントが送信される。',
				bad: '名前に使える * は 5 個までです。',
				pattern: 'イベント名',
			},
		},
		wildcard: '* は任意の文字に一致します（最大 5 個）。',
		property: 'プロパティ（任意）',
		propertyHint: 'イベントに、この値を持つこのプロパティが必要です。',
		value: '値',
		valueNeeded: 'プロパティの値を入力してください。',
		nameNeeded: '名前を入力してください。',
		nameTaken: 'この名前の目標はすでに存在します。',
		editOne: '{{name}} を編集',
		deleteOne: '{{name}} を削除',
		deleteTitle: '{{name}} を削除しますか？',
		deleteText: 'イベントは残ります。同じルールの目標を作成すると、同じ数値が再び表示されます。',
	},
	drops: {
		period: '期間',
		periods: {
			'7d': '過去 7 日間',
			'30d': '過去 30 日間',
			'12months': '過去 12 か月間',
		},
		none: '除外されたトラフィックはありません',
		noneText: 'この期間のすべてのヒットが集計されました。',
		total_one: '{{total}} 件のヒットが除外されました。',
		total_other: '{{total}} 件のヒットが除外されました。',
		byReason: '理由別',
		byDay: '日別',
		day: '日',
		why: '理由',
		hits: 'ヒット',
		hostnames: '不明なホスト名',
		hostnamesText:
			'これらのホスト名からヒットがありましたが、許可されていません。許可すると以後集計されます。',
		countThis: '許可',
		countThisName: '許可: {{hostname}}',
		countsNow: '許可済み',
		reasons: {
			prefetch: {
				title: 'プリフェッチ',
				text: 'ブラウザーがページをプリフェッチしました。表示されたときに集計されます。',
			},
			bot: {
				title: 'ボット',
				text: 'ボット、ツール、またはヘッドレスブラウザー。「除外」でボットを集計するように変更できます。',
			},
			excluded_address: {
				title: '除外された IP アドレス',
				text: 'IP アドレスが「除外」のリストにあります。',
			},
			foreign_hostname: {
				title: '不明なホスト名',
				text: '許可されたホスト名のページではありません。コピー、テスト環境、またはスニペットを使った別のサイトです。',
			},
			privacy_signal: {
				title: 'プライバシー信号',
				text: 'ブラウザーが Global Privacy Control または Do Not Track を送信しました。「除外」で変更できます。',
			},
			bad_url: {
				title: '無効な URL',
				text: 'URL が http または https のページではありません。保存されたページ、アプリ、または無効な呼び出しです。',
			},
			late: {
				title: '遅延',
				text: '到着が遅すぎて訪問者に関連付けられませんでした。サーバーは 7 日以内にイベントを送信する必要があります。',
			},
			erased: {
				title: 'リセット前',
				text: '統計のリセット前に発生しました。',
			},
			over_budget: {
				title: 'レート制限の超過',
				text: 'サイトがレート制限を超えるヒットを受信しました。ページは最大 3 回再送するため、一部は後で集計されています。実際のトラフィックであれば、サーバー運営者に上限の引き上げを依頼してください。',
			},
		},
	},
	retention: {
		title: 'データ保持期間',
		text: '指定した期間の経過後にイベントと訪問を削除します。日別の合計は残るため、過去のグラフは維持されます。',
		label: '保持期間（月数）',
		placeholder: '無期限',
		forever: '空欄にすると、イベントと訪問を無期限に保持します。',
		deletes: '{{date}} より前のイベントと訪問は、1 日以内に完全に削除されます。',
		range: '1～120 の整数を入力するか、空欄にしてください。',
		saveAndDelete: '保存して古いデータを削除',
	},
	reset: {
		title: '統計をリセット',
		text: '収集したデータをすべて削除します。サイト、設定、目標は残り、集計は続きます。',
		button: 'リセット',
		warning: '{{domain}} のすべての統計が削除されます。この操作は取り消せません。',
		confirm: '統計をリセット',
		done: '統計をリセットしました。',
	},
	delete: {
		title: 'サイトを削除',
		text: 'サイト、設定、すべての統計を削除します。ID が再利用されることはありません。',
		button: '削除',
		warning: '{{domain}} とそのすべての統計が削除されます。この操作は取り消せません。',
		confirm: 'サイトを削除',
	},
	typed: {
		label: '確認のため {{domain}} と入力',
		wrong: '名前が {{domain}} と一致しません。',
	},
	embed: {
		frame: '埋め込み',
		frameText:
			'統計ページを iframe で埋め込みます（ライトまたはダーク）。埋め込めるのは以下のオリジンのみです。',
		origins: '許可するオリジン（1 行に 1 つ）',
		originsHint: '例: https://example.com、https://*.example.com。空欄にすると埋め込みは無効です。',
		frameCode: '埋め込みコード',
		badge: 'バッジ',
		badgeText:
			'過去 30 日間の訪問者数の画像です。look=counter を追加すると大きく、theme=dark を追加するとダークになります。',
		badgeCode: 'バッジのコード',
	},
};
