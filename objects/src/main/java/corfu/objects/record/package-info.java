/** What objects write to the log, as values and as bytes. Drawn in docs/objects-format.md. */
@NullMarked
package corfu.objects.record;

import org.jspecify.annotations.NullMarked;
