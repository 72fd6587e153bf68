package corfu.nbd.internal.session;

import corfu.nbd.BlockDevice;
import java.util.List;

/**
 * An export that a client has opened.
 *
 * @param name the name that the client gave
 * @param device the device
 * @param contexts the metadata contexts that the client has chosen; the first has the number 1
 */
record OpenExport(String name, BlockDevice device, List<String> contexts) {}
