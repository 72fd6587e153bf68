/**
 * Work that runs off the unit's thread, one step at a time: {@code Errand} runs a piece of work,
 * {@code Upkeep} chooses the next of many.
 */
@NullMarked
package corfu.roles.logunit.task;

import org.jspecify.annotations.NullMarked;
