/**
 * The records that objects write to the log, as values and as bytes. The format is drawn in
 * docs/objects-format.md.
 */
@NullMarked
package corfu.objects.record;

import org.jspecify.annotations.NullMarked;
