package corfu.cli.argument;

import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import java.util.Arrays;
import java.util.List;

/** The role of a server, as people write it. */
public enum RoleName {
  LOG_UNIT("log-unit"),
  SEQUENCER("sequencer"),
  LAYOUT_SERVER("layout-server");

  private final String text;

  RoleName(String text) {
    this.text = text;
  }

  /** Returns the name that servers also use. */
  @Override
  public String toString() {
    return text;
  }

  static RoleName parse(String text) {
    return Arrays.stream(values())
        .filter(role -> role.text.equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "a role is one of log-unit, sequencer, layout-server, but this is '"
                        + text
                        + "'"));
  }

  /** Returns the roles of a server in a layout. */
  public static List<RoleName> of(Endpoint server, Layout layout) {
    return Arrays.stream(values()).filter(role -> role.isOf(server, layout)).toList();
  }

  private boolean isOf(Endpoint server, Layout layout) {
    return switch (this) {
      case LOG_UNIT -> layout.units().stream().anyMatch(member -> member.endpoint().equals(server));
      case SEQUENCER -> layout.sequencers().contains(server);
      case LAYOUT_SERVER -> layout.layoutServers().contains(server);
    };
  }
}
