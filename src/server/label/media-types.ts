/** The media types of labels. */
export const LABEL_TYPES = { pdf: 'application/pdf', zpl: 'application/zpl', png: 'image/png' } as const
