/**
 * Commands that append to the log, read, follow, trim and fill it.
 *
 * <p>{@link EntryInput} and {@link AppendPipeline} append, {@link EntryPrinter} prints; commands of
 * streams use them, too.
 */
@NullMarked
package corfu.cli.log;

import org.jspecify.annotations.NullMarked;
