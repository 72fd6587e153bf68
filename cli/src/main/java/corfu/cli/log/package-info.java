/**
 * Commands that append to the log, read, follow, trim and fill it.
 *
 * <p>{@link EntryInput} and {@link AppendPipeline} append, and {@link EntryPrinter} prints.
 * Commands of streams also use them.
 */
@NullMarked
package corfu.cli.log;

import org.jspecify.annotations.NullMarked;
