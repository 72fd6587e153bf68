/**
 * How a log unit stores: {@link corfu.roles.logunit.options.LogUnitOptions} and the parts of it.
 * Users of a log unit see this package and {@link corfu.roles.logunit}, and none of the others.
 */
@NullMarked
package corfu.roles.logunit.options;

import org.jspecify.annotations.NullMarked;
