/**
 * How a log unit stores: {@link corfu.roles.logunit.options.LogUnitOptions} and its parts. Users of
 * a log unit see this package and {@link corfu.roles.logunit}, and no other one of the unit.
 */
@NullMarked
package corfu.roles.logunit.options;

import org.jspecify.annotations.NullMarked;
