/** The media types of labels. */
export const LABEL_MEDIA_TYPES = { pdf: 'application/pdf', zpl: 'application/zpl', png: 'image/png' } as const
