/**
 * {@code corfu layout}: shows and changes which server does what.
 *
 * <p>Enter at {@link LayoutCommand}. {@code LayoutChange} has a change decided, and waits until the
 * cluster has carried it out.
 */
@NullMarked
package corfu.cli.layout;

import org.jspecify.annotations.NullMarked;
