package corfu.proof.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutJson;
import java.util.List;

/** Layouts as JSON. */
final class LayoutTarget implements FuzzTarget {

  @Override
  public String name() {
    return "layout";
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(Bytes.of(Samples.PLAIN_LAYOUT), Bytes.of(Samples.STREAM_LAYOUT));
  }

  @Override
  public void run(byte[] input) {
    Layout layout;
    try {
      layout = LayoutJson.parse(new String(input, UTF_8));
    } catch (IllegalArgumentException noLayout) {
      return;
    }
    String pretty = LayoutJson.pretty(layout);
    Bytes.same(layout, LayoutJson.parse(pretty), "written for people");
    Bytes.same(pretty, LayoutJson.pretty(LayoutJson.parse(pretty)), "written again");
    Bytes.same(layout, LayoutJson.parse(LayoutJson.compact(layout)), "written for servers");
  }

  @Override
  public long allowedBytesForEach() {
    return 4_096;
  }
}
