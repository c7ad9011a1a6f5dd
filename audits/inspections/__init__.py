"""The AJ's inspector in the house (REC-11): code, visits, draw of tables, his own counts."""
