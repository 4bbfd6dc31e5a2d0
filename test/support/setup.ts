/** Runs before each test file, so that its hook is the file's last. */
import { afterAll } from 'vitest'
// It keeps the timers of its first import: those of a test that replaces them would stay for all files of the process.
import '../../src/core/event-loop.ts'
import { endFile } from './after-file.ts'

afterAll(endFile)
