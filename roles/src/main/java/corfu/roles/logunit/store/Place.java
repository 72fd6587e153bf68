package corfu.roles.logunit.store;

import corfu.roles.logunit.options.LogUnitOptions;
import corfu.world.Disk;
import corfu.world.Offload;
import corfu.world.World;

/**
 * The resources of a unit.
 *
 * @param disk the unit's directory
 * @param options how the unit stores
 * @param world the clock, timers and random source
 * @param syncs runs writes and syncs outside the unit's thread
 * @param background runs work that must not delay those
 */
public record Place(
    Disk disk, LogUnitOptions options, World world, Offload syncs, Offload background) {}
