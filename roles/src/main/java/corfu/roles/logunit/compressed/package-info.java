/**
 * Compressed log files. {@code CompressedCopy} makes one from a finished log file, and {@code
 * CompressedFile} reads it like the original: the same bytes at the same offsets. {@code
 * CompressedFormat} has the bytes on the disk, and {@code BlockCache} the decompressed blocks.
 */
@NullMarked
package corfu.roles.logunit.compressed;

import org.jspecify.annotations.NullMarked;
