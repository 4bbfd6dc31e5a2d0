/** The icons of the bar. The name of a button says what it does. */
import type { ComponentChildren } from 'preact'

function Icon({ children }: { children: ComponentChildren }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {children}
    </svg>
  )
}

export function SoundIcon({ isOn }: { isOn: boolean }) {
  return (
    <Icon>
      <path d="M4 9v6h4l5 4V5L8 9z" />
      <path d={isOn ? 'M16.500 8.500a5 5 0 0 1 0 7M19 6a8.500 8.500 0 0 1 0 12' : 'm17 9 5 6m0-6-5 6'} />
    </Icon>
  )
}

export function ListIcon() {
  return (
    <Icon>
      <path d="M4 7h16M4 12h16M4 17h16" />
    </Icon>
  )
}

export function BackIcon() {
  return (
    <Icon>
      <path d="M9 6 4 11l5 5" />
      <path d="M4 11h10a5 5 0 0 1 0 10h-3" />
    </Icon>
  )
}
