/**
 * {@code corfu layout}: shows and changes the roles of servers.
 *
 * <p>Enter at {@link LayoutCommand}. {@code LayoutChange} decides a change, and waits until the
 * cluster has carried it out.
 */
@NullMarked
package corfu.cli.layout;

import org.jspecify.annotations.NullMarked;
