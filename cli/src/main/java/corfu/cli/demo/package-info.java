/**
 * {@code corfu demo}: appends, kills servers, restarts, and checks every entry.
 *
 * <p>Enter at {@link DemoCommand}; {@link Demo} runs the parts.
 */
@NullMarked
package corfu.cli.demo;

import org.jspecify.annotations.NullMarked;
