// Sorting, a filter and buttons that copy. The page is whole without them, and no data is in here.

"use strict";

(() => {
  // Cells.

  const collator = new Intl.Collator("en", { numeric: true });

  const keyOf = (cell, isNumber) => {
    const text = (cell.dataset.value ?? cell.textContent).trim();
    if (text === "" || !isNumber) {
      return text;
    }
    const plain = text.replace(/[,+]/g, "");
    return /^-?\d+$/.test(plain) ? BigInt(plain) : Number(plain);
  };

  const compare = (one, other, order) => {
    if (one === "" || other === "") {
      return (one === "") - (other === "");  // what is not known stands last, either way
    }
    if (typeof one === "string") {
      return order * collator.compare(one, other);
    }
    return order * ((one > other) - (one < other));
  };

  // Sorting.

  const sort = (table, header) => {
    const order = header.ariaSort === "ascending" ? -1 : 1;
    const isNumber = header.matches(".n");
    const index = header.cellIndex;
    const body = table.tBodies[0];
    const after = body.nextSibling;
    const keyed = Array.from(body.rows, (row) => [keyOf(row.cells[index], isNumber), row]);
    keyed.sort((one, other) => compare(one[0], other[0], order));
    for (const cell of header.parentNode.cells) {
      cell.removeAttribute("aria-sort");
    }
    header.setAttribute("aria-sort", order === 1 ? "ascending" : "descending");
    body.remove();  // rows that are not in the page move much faster
    body.append(...keyed.map(([, row]) => row));
    table.insertBefore(body, after);
  };

  for (const table of document.querySelectorAll("table.sortable")) {
    for (const header of table.tHead.rows[0].cells) {
      const button = document.createElement("button");
      button.type = "button";
      button.title = "Sort";
      button.append(...header.childNodes);
      button.addEventListener("click", () => sort(table, header));
      header.append(button);
    }
  }

  // A filter, where rows have a status.

  const filterOf = (box, table) => {
    const rows = [...table.tBodies[0].rows];
    const tools = document.createElement("div");
    const text = document.createElement("input");
    const label = document.createElement("label");
    const only = document.createElement("input");
    const shown = document.createElement("output");
    tools.className = "tools";
    text.type = "search";
    text.placeholder = "Filter";
    text.ariaLabel = "Show only rows with this text";
    only.type = "checkbox";
    label.append(only, "failures only");
    tools.append(text, label, shown);

    const apply = () => {
      const wanted = text.value.trim().toLowerCase();
      let count = 0;
      for (const row of rows) {
        const fits = (!only.checked || row.matches(".bad, .warn"))
          && row.textContent.toLowerCase().includes(wanted);
        row.hidden = !fits;
        count += fits;
      }
      shown.value = count === rows.length ? "" : `${count} of ${rows.length} rows`;
    };

    text.addEventListener("input", apply);
    only.addEventListener("change", apply);
    box.before(tools);
  };

  for (const box of document.querySelectorAll(".scroll")) {
    const table = box.querySelector("table.sortable");
    if (table?.querySelector("tr[data-status]")) {
      filterOf(box, table);
    }
  }

  // Buttons that copy; where the browser refuses, the text is selected instead.

  const select = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  };

  for (const node of document.querySelectorAll(".copy")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "copy";
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(node.textContent);
        button.textContent = "copied";
        setTimeout(() => { button.textContent = "copy"; }, 1500);
      } catch {
        select(node);
      }
    });
    node.after(button);
  }
})();
