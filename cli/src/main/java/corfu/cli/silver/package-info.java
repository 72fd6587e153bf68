/**
 * {@code corfu silver}: file systems of which every version stays.
 *
 * <p>Enter at {@link SilverCommand}.
 */
@NullMarked
package corfu.cli.silver;

import org.jspecify.annotations.NullMarked;
