/** The settings of a ticket printer, and the lines that it prints. */

export const PRINTER_LANGUAGES = ['escpos', 'starprnt'] as const
export type PrinterLanguage = (typeof PRINTER_LANGUAGES)[number]

/** The width of the paper, in millimetres. */
export const PAPER_WIDTHS_MM = ['80', '58'] as const
export type PaperWidthMm = (typeof PAPER_WIDTHS_MM)[number]

export const PAPER_CUTS = ['partial', 'full', 'none'] as const
export type PaperCut = (typeof PAPER_CUTS)[number]

/** `beep` is the buzzer of the printer, `pulse` a bell at its drawer port. */
export const BUZZERS = ['none', 'beep', 'pulse'] as const
export type Buzzer = (typeof BUZZERS)[number]

export type ReceiptFormat = { language: PrinterLanguage; paper: PaperWidthMm; cut: PaperCut; buzzer: Buzzer }

export type ReceiptLine = {
  text: string
  /** Times the usual width and height; 1 without it. */
  size?: 2 | 3
  bold?: true
  /** White on black. */
  isInverted?: true
  isCentred?: true
  /** Stands before the first line of the text, which is indented by its width. */
  lead?: string
  /** Empty columns before the text. */
  indent?: number
  /** A rule above it. */
  hasRule?: true
}

/** The dots of a letter of the usual font. */
export const CELL_DOTS = { width: 12, height: 24 } as const
