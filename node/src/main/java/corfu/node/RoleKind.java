package corfu.node;

import java.util.Arrays;
import java.util.Optional;

/** The kinds of roles of a server. */
public enum RoleKind {
  SEQUENCER("sequencer"),
  LAYOUT_SERVER("layout-server"),
  LOG_UNIT("log-unit"),
  VIEWS("views");

  private final String text;

  RoleKind(String text) {
    this.text = text;
  }

  /** Returns the role's name in configurations and reports. */
  public String text() {
    return text;
  }

  static Optional<RoleKind> of(String text) {
    return Arrays.stream(values()).filter(kind -> kind.text.equals(text)).findFirst();
  }
}
