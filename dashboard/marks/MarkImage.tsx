import {
	ArrowRight,
	Bell,
	CircleDashed,
	Download,
	ExternalLink,
	FileX,
	Handshake,
	Image,
	Link2,
	type LucideIcon,
	Mail,
	MapPin,
	Megaphone,
	MessageCircle,
	MessageSquare,
	Monitor,
	MousePointerClick,
	Music,
	Play,
	Search,
	Send,
	ShoppingBag,
	Shuffle,
	Smartphone,
	Sparkles,
	Tablet,
	Tag,
	Tv,
} from 'lucide-react';
import { brandOf, letterOf } from './brands.ts';
import styles from './Mark.module.css';
import type { MarkProps } from './Mark.tsx';
import { brandFile, flagFile } from './mark-files.ts';

const glyphs: Record<string, Record<string, LucideIcon>> = {
	channel: {
		Internal: Link2,
		'Cross-network': Shuffle,
		'Paid Shopping': ShoppingBag,
		Display: Image,
		'Paid Search': Search,
		'Paid Social': MessageCircle,
		'Paid Video': Play,
		'Paid Other': Megaphone,
		'AI Assistants': Sparkles,
		'Organic Shopping': ShoppingBag,
		'Organic Social': MessageCircle,
		'Organic Video': Play,
		'Organic Search': Search,
		Email: Mail,
		Affiliates: Handshake,
		Referral: Link2,
		Audio: Music,
		SMS: MessageSquare,
		'Mobile Push': Bell,
		Direct: ArrowRight,
	},
	device: { desktop: Monitor, mobile: Smartphone, tablet: Tablet, tv: Tv },
	event: { outbound: ExternalLink, download: Download, form: Send, '404': FileX },
};

export function MarkImage({ dimension, value, country }: MarkProps) {
	if (value === '') {
		const isDirect = dimension === 'source' || dimension === 'referrer';
		return <Glyph icon={isDirect ? ArrowRight : CircleDashed} />;
	}
	switch (dimension) {
		case 'country':
		case 'region':
		case 'city': {
			const code = dimension === 'country' ? value : (country ?? /^([A-Z]{2})-/.exec(value)?.[1]);
			const file = flagFile(code);
			if (file) return <img className={styles.flag} src={file} alt="" width={16} height={12} />;
			// A name without a country says nothing about a flag.
			return code === undefined ? <Glyph icon={MapPin} /> : <Letter text={code} />;
		}
		case 'browser':
		case 'os':
		case 'source':
		case 'referrer':
		case 'utm_source': {
			const file = brandFile(brandOf(dimension, value));
			if (file) return <span className={styles.brand} style={{ '--file': `url("${file}")` }} />;
			return <Letter text={letterOf(dimension, value)} />;
		}
		case 'channel':
		case 'device':
			return <Glyph icon={glyphs[dimension]?.[value] ?? CircleDashed} />;
		case 'event':
			return <Glyph icon={glyphs.event?.[value] ?? MousePointerClick} />;
		default:
			return <Glyph icon={Tag} />;
	}
}

const Glyph = ({ icon: Icon }: { icon: LucideIcon }) => <Icon size={16} strokeWidth={1.5} />;

const Letter = ({ text }: { text: string }) => (
	<span className={styles.letter} data-letter={/[\p{L}\p{N}]/u.exec(text)?.[0].toUpperCase() ?? '?'} />
);
