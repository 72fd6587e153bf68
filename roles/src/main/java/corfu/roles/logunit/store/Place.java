package corfu.roles.logunit.store;

import corfu.roles.logunit.options.LogUnitOptions;
import corfu.world.Disk;
import corfu.world.Offload;
import corfu.world.World;

/**
 * Where a unit lives and works.
 *
 * @param syncs takes writes and syncs off the unit's thread
 * @param background takes off what must not delay those
 */
public record Place(
    Disk disk, LogUnitOptions options, World world, Offload syncs, Offload background) {}
