package corfu.disk.internal.device;

import corfu.nbd.DeviceInfo;
import corfu.nbd.ExportDescription;
import java.util.List;

/**
 * The facts that clients learn of a disk, the same before and after they open it. Thread-safe.
 *
 * @param facts the disk, or a version of one
 * @param readOnly whether changes are refused
 */
public record DiskDescription(DeviceFacts facts, boolean readOnly) implements ExportDescription {

  @Override
  public DeviceInfo info() {
    return new DeviceInfo(
        "disk " + facts.name(), facts.sizeBytes(), 1, facts.blockBytes(), readOnly);
  }

  @Override
  public List<String> contexts(String query) {
    return StatusReader.contexts(facts, query);
  }
}
